//! Memory of threads that have nothing to do.

use std::hint::black_box;
use std::time::Duration;

/// How often a thread allocates something, at least.
const PAUSE: Duration = Duration::from_secs(10);
/// How much: a share for each kind of page that an allocator may have.
const SIZES: [usize; 4] = [64, 4 << 10, 64 << 10, 2 << 20];

/// Lets an allocator that gives memory back while it works do so on this thread also when nobody asks for anything. It never returns.
#[expect(clippy::disallowed_methods, reason = "time is what it waits for")]
pub(super) async fn give_memory_back() {
    loop {
        tokio::time::sleep(PAUSE).await;
        for size in SIZES {
            drop(black_box(Vec::<u8>::with_capacity(size)));
        }
    }
}
