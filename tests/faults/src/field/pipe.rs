//! Proxied connections that can be delayed, held and cut.

use std::io::{Read as _, Result, Write as _};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::clients::client::pause;

/// How often a held connection checks whether it still is.
const GLANCE: Duration = Duration::from_millis(5);
/// The longest delay of bytes, in milliseconds.
const DELAY: u64 = 60;

/// An end of a connection.
pub(crate) enum Wire {
    /// Over TCP.
    Tcp(TcpStream),
    /// Over a Unix socket.
    Unix(UnixStream),
}

impl Wire {
    /// Reads available bytes.
    pub(crate) fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        match self {
            Self::Tcp(stream) => (&mut &*stream).read(buffer),
            Self::Unix(stream) => (&mut &*stream).read(buffer),
        }
    }

    /// Writes all these bytes.
    pub(crate) fn write_all(&self, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Tcp(stream) => (&mut &*stream).write_all(bytes),
            Self::Unix(stream) => (&mut &*stream).write_all(bytes),
        }
    }

    /// Closes it.
    pub(crate) fn shut(&self) {
        // It may have ended already.
        let _ = match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
        };
    }
}

/// The fate of one direction of a connection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fate {
    /// Cuts it after so many bytes.
    cut: Option<u64>,
    /// Delays it after so many bytes, for this long.
    delay: Option<(u64, Duration)>,
    passed: u64,
}

/// A gate that connections pass through.
pub struct Gate {
    random: Mutex<SmallRng>,
    /// The possible maximum lives of a connection, in bytes.
    lives: &'static [Option<u64>],
    is_held: AtomicBool,
    is_calm: AtomicBool,
    wires: Mutex<Vec<Weak<Wire>>>,
}

impl Gate {
    /// Returns a gate whose accidents depend on a seed. A connection lives for at most one of these numbers
    /// of bytes.
    pub fn new(seed: u64, lives: &'static [Option<u64>]) -> Self {
        Self {
            random: Mutex::new(SmallRng::seed_from_u64(seed)),
            lives,
            is_held: AtomicBool::new(false),
            is_calm: AtomicBool::new(false),
            wires: Mutex::new(Vec::new()),
        }
    }

    /// Starts or stops passing everything unharmed.
    pub fn calm(&self, is_calm: bool) {
        self.is_calm.store(is_calm, Ordering::Relaxed);
        self.hold(false);
    }

    /// Starts or stops holding all bytes.
    pub fn hold(&self, is_held: bool) {
        self.is_held.store(is_held, Ordering::Relaxed);
    }

    /// Cuts all connections.
    pub fn cut(&self) {
        for wire in self.wires().drain(..).filter_map(|wire| wire.upgrade()) {
            wire.shut();
        }
    }

    fn wires(&self) -> MutexGuard<'_, Vec<Weak<Wire>>> {
        self.wires.lock()
    }

    /// Draws a number below a bound.
    pub(crate) fn draw(&self, bound: u64) -> u64 {
        self.random.lock().random_range(0..bound)
    }

    /// Returns whether something happens, with a chance of `of` in a hundred.
    pub(crate) fn happens(&self, of: u64) -> bool {
        !self.is_calm.load(Ordering::Relaxed) && self.draw(100) < of
    }

    /// Draws the fate of a connection, and registers the connection so that it can be cut.
    pub(crate) fn admit(&self, wire: &Arc<Wire>) -> Fate {
        let mut wires = self.wires();
        wires.retain(|wire| wire.strong_count() > 0);
        wires.push(Arc::downgrade(wire));
        drop(wires);
        let life = self.lives[self.draw(self.lives.len() as u64) as usize];
        let cut = life.map(|most| 1 + self.draw(most));
        let delay = self.happens(20).then(|| (self.draw(5_000), Duration::from_millis(self.draw(DELAY))));
        Fate { cut, delay, passed: 0 }
    }

    /// Passes bytes on as their fate allows. Returns whether the connection continues.
    pub(crate) fn pass(&self, bytes: &[u8], to: &Wire, fate: &mut Fate) -> bool {
        while self.is_held.load(Ordering::Relaxed) {
            pause(GLANCE);
        }
        let is_calm = self.is_calm.load(Ordering::Relaxed);
        let before = fate.passed;
        fate.passed += bytes.len() as u64;
        if let Some((at, long)) = fate.delay
            && (before..fate.passed).contains(&at)
            && !is_calm
        {
            pause(long);
        }
        match fate.cut {
            Some(cut) if cut < fate.passed && !is_calm => {
                let _ = to.write_all(&bytes[..cut.saturating_sub(before) as usize]);
                false
            }
            Some(_) | None => to.write_all(bytes).is_ok(),
        }
    }

    /// Passes everything on until the source ends or the connection is cut.
    pub(crate) fn pump(&self, from: &Wire, to: &Wire, mut fate: Fate) {
        let mut bytes = [0; 16 * 1024];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            if !self.pass(&bytes[..count], to, &mut fate) {
                break;
            }
        }
        from.shut();
        to.shut();
    }
}
