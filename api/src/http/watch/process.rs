//! The process as the operating system sees it; what this one does not tell is left out.

/// What a process takes.
#[derive(Default)]
pub struct Process {
    /// The time that it has had of the processors, in seconds.
    pub cpu_seconds: Option<f64>,
    /// The memory that it has, in bytes.
    pub resident_bytes: Option<u64>,
    /// The memory that it has addresses for, in bytes.
    pub virtual_bytes: Option<u64>,
    /// The files that it has open, connections among them.
    pub open_files: Option<u64>,
    /// How many it may have.
    pub most_files: Option<u64>,
    /// Its threads.
    pub threads: Option<u64>,
}

impl Process {
    /// Returns what this process takes now.
    #[cfg(not(unix))]
    pub fn now() -> Self {
        Self::default()
    }

    /// Returns what this process takes now.
    #[cfg(unix)]
    pub fn now() -> Self {
        use std::fs;

        use rustix::param::page_size;
        use rustix::process::{Resource, getrlimit};
        use rustix::time::{ClockId, clock_gettime};

        let cpu = clock_gettime(ClockId::ProcessCPUTime);
        let sizes = fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let mut pages = sizes.split(' ').map(|pages| pages.parse::<u64>().ok());
        let mut bytes = || Some(pages.next()?? * page_size() as u64);
        let (virtual_bytes, resident_bytes) = (bytes(), bytes());
        let entries = |folder| Some(fs::read_dir(folder).ok()?.count() as u64);
        Self {
            cpu_seconds: Some(cpu.tv_sec as f64 + cpu.tv_nsec as f64 / 1e9),
            resident_bytes,
            virtual_bytes,
            // One of them lists them.
            open_files: entries("/proc/self/fd").map(|files| files - 1),
            most_files: getrlimit(Resource::Nofile).current,
            threads: entries("/proc/self/task"),
        }
    }
}
