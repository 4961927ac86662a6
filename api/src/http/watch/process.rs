//! The process as the operating system sees it. Values that the system does not report are left out.

/// The resources of a process.
#[derive(Default)]
pub struct Process {
    /// The processor time used, in seconds.
    pub cpu_seconds: Option<f64>,
    /// The resident memory, in bytes.
    pub resident_bytes: Option<u64>,
    /// The virtual memory, in bytes.
    pub virtual_bytes: Option<u64>,
    /// The open files, including connections.
    pub open_files: Option<u64>,
    /// The maximum number of open files.
    pub most_files: Option<u64>,
    /// The number of threads.
    pub threads: Option<u64>,
}

impl Process {
    /// Returns the current resources of this process.
    #[cfg(not(unix))]
    pub fn now() -> Self {
        Self::default()
    }

    /// Returns the current resources of this process.
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
            // One of them is the listing itself.
            open_files: entries("/proc/self/fd").map(|files| files - 1),
            most_files: getrlimit(Resource::Nofile).current,
            threads: entries("/proc/self/task"),
        }
    }
}
