//! Limits on what each network has in progress at once.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::client::Network;

type UnderWay = Mutex<HashMap<Network, u32>>;

/// Counts what each network has in progress.
pub struct AtOnce {
    most: u32,
    of: Arc<UnderWay>,
}

/// A place in use, until it is dropped.
#[derive(Default)]
pub struct Held(Option<(Network, Arc<UnderWay>)>);

impl AtOnce {
    /// Allows each network `most` places, or any number for 0.
    pub fn new(most: u32) -> Self {
        Self { most, of: Arc::default() }
    }

    /// Takes a place, or none if the network already has the maximum.
    pub fn place(&self, network: Network) -> Option<Held> {
        if self.most == 0 {
            return Some(Held::default());
        }
        let mut of = self.of.lock();
        let under_way = of.entry(network).or_default();
        (*under_way < self.most).then(|| {
            *under_way += 1;
            Held(Some((network, Arc::clone(&self.of))))
        })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let Some((network, of)) = self.0.take() else { return };
        let mut of = of.lock();
        if let Some(under_way) = of.get_mut(&network) {
            *under_way -= 1;
            if *under_way == 0 {
                of.remove(&network);
            }
        }
    }
}
