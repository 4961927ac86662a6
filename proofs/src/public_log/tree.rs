//! The Merkle tree (RFC 6962, section 2.1): its hashes, its proofs, and its growth.

use std::collections::HashMap;

use assam_record::game::Bytes32;
use sha2::{Digest, Sha256};

use super::tiles::{HEIGHT, Tile, WIDTH};

const LEAF: u8 = 0;
const NODE: u8 = 1;

/// Returns the hash of an entry: `SHA-256(0x00 | entry)`.
pub fn leaf(entry: &[u8]) -> Bytes32 {
    Sha256::new_with_prefix([LEAF]).chain_update(entry).finalize().into()
}

/// Returns the hash of two neighbouring nodes: `SHA-256(0x01 | left | right)`.
pub(super) fn node(left: &Bytes32, right: &Bytes32) -> Bytes32 {
    Sha256::new_with_prefix([NODE]).chain_update(left).chain_update(right).finalize().into()
}

/// Returns the root of a log without entries: SHA-256 of nothing.
pub fn empty_root() -> Bytes32 {
    Sha256::digest([]).into()
}

/// The number of a log's entries, and their root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeHead {
    /// The number of entries.
    pub size: u64,
    /// The root of their tree.
    pub root: Bytes32,
}

impl TreeHead {
    /// Returns the head of a log without entries.
    pub fn empty() -> Self {
        Self { size: 0, root: empty_root() }
    }
}

/// A required tile that was not loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missing(pub Tile);

/// A log of some size with its loaded tiles. An operation that needs another tile reports it. The caller
/// loads it and tries again.
pub struct Tree {
    size: u64,
    tiles: HashMap<(u8, u64), Vec<Bytes32>>,
}

impl Tree {
    /// Returns the tree of a log with this many entries, without loaded tiles.
    pub fn of_size(size: u64) -> Self {
        Self { size, tiles: HashMap::new() }
    }

    /// Adds a loaded tile.
    pub fn put(&mut self, tile: Tile, hashes: Vec<Bytes32>) {
        self.tiles.insert((tile.level, tile.index), hashes);
    }

    /// Returns the root of the first `size` entries.
    ///
    /// # Errors
    /// A tile is missing.
    pub fn root_at(&self, size: u64) -> Result<Bytes32, Missing> {
        if size == 0 { Ok(empty_root()) } else { self.range(0, size.min(self.size)) }
    }

    /// Returns the hash of an entry.
    ///
    /// # Errors
    /// A tile is missing.
    pub fn leaf_at(&self, position: u64) -> Result<Bytes32, Missing> {
        self.hash(0, position)
    }

    /// Returns the proof that the entry at a position is in the log: `PATH(m, D[n])` of RFC 6962. Empty
    /// beyond the end.
    ///
    /// # Errors
    /// A tile is missing.
    pub fn inclusion(&self, position: u64) -> Result<Vec<Bytes32>, Missing> {
        let (mut low, mut high, mut path) = (0, self.size, Vec::new());
        while position < high && high - low > 1 {
            let middle = low + split(high - low);
            if position < middle {
                path.push(self.range(middle, high)?);
                high = middle;
            } else {
                path.push(self.range(low, middle)?);
                low = middle;
            }
        }
        path.reverse();
        Ok(path)
    }

    /// Returns the proof that the log extends its earlier state of this size: `PROOF(m, D[n])` of RFC 6962.
    /// Empty if there is nothing to prove.
    ///
    /// # Errors
    /// A tile is missing.
    pub fn consistency(&self, smaller: u64) -> Result<Vec<Bytes32>, Missing> {
        let (mut low, mut high, mut path) = (0, self.size, Vec::new());
        if smaller == 0 || smaller >= self.size {
            return Ok(path);
        }
        while smaller < high {
            let middle = low + split(high - low);
            if smaller <= middle {
                path.push(self.range(middle, high)?);
                high = middle;
            } else {
                path.push(self.range(low, middle)?);
                low = middle;
            }
        }
        if low > 0 {
            path.push(self.range(low, high)?);
        }
        path.reverse();
        Ok(path)
    }

    /// Returns the hash of the entries from `low` up to `high`, which form a node: `MTH(D[low:high])`.
    fn range(&self, low: u64, high: u64) -> Result<Bytes32, Missing> {
        let count = high - low;
        if count.is_power_of_two() {
            return self.full(count.trailing_zeros(), low / count);
        }
        let middle = low + split(count);
        Ok(node(&self.range(low, middle)?, &self.range(middle, high)?))
    }

    /// Returns the hash of 2^height entries at this index among all such groups.
    fn full(&self, height: u32, index: u64) -> Result<Bytes32, Missing> {
        let (level, within) = ((height / HEIGHT) as u8, height % HEIGHT);
        let first = index << within;
        let hashes: Result<Vec<Bytes32>, Missing> =
            (first..first + (1 << within)).map(|position| self.hash(level, position)).collect();
        Ok(joined(hashes?))
    }

    fn hash(&self, level: u8, position: u64) -> Result<Bytes32, Missing> {
        let held = self.tiles.get(&(level, position / WIDTH));
        let hash = held.and_then(|hashes| hashes.get((position % WIDTH) as usize)).copied();
        let tile = || Tile::with(level, position, self.size);
        hash.ok_or_else(|| Missing(tile().unwrap_or(Tile { level, index: position / WIDTH, width: 1 })))
    }
}

/// Returns the largest power of two below a count of two or more.
const fn split(count: u64) -> u64 {
    1 << (count - 1).ilog2()
}

/// Hashes a power of two of hashes into one.
fn joined(mut hashes: Vec<Bytes32>) -> Bytes32 {
    while hashes.len() > 1 {
        hashes = hashes.chunks(2).map(|pair| node(&pair[0], &pair[pair.len() - 1])).collect();
    }
    hashes.pop().unwrap_or_else(empty_root)
}

/// A new hash of a grown log at a position of a level. On level 0, it is the entry itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewNode {
    /// The level.
    pub level: u8,
    /// The position in the level.
    pub position: u64,
    /// The entry, or the hash of 256^level entries.
    pub bytes: Bytes32,
}

/// Returns the head of a log with these entries, and the hashes above them.
pub fn rebuilt(entries: impl Iterator<Item = Bytes32>) -> (TreeHead, Vec<NewNode>) {
    let mut growth = Growth::new(Tree::of_size(0));
    for entry in entries {
        growth.push(entry);
    }
    // Every tile is loaded.
    let head = growth.head().unwrap_or_else(|Missing(_)| TreeHead::empty());
    growth.nodes.retain(|node| node.level > 0);
    (head, growth.nodes)
}

/// A growing log: its tiles at the right edge.
pub struct Growth {
    tree: Tree,
    /// The new hashes.
    pub nodes: Vec<NewNode>,
}

impl Growth {
    /// Returns the tiles at the right edge of a log with this many entries that are neither empty nor full.
    pub fn edge(size: u64) -> impl Iterator<Item = Tile> {
        (0..Tile::LEVELS).filter_map(move |level| {
            let count = size >> (u32::from(level) * HEIGHT);
            let width = (count % WIDTH) as u16;
            (width > 0).then_some(Tile { level, index: count / WIDTH, width })
        })
    }

    /// Begins with a tree that has the tiles at its right edge.
    pub const fn new(tree: Tree) -> Self {
        Self { tree, nodes: Vec::new() }
    }

    /// Adds an entry and returns its position.
    pub fn push(&mut self, entry: Bytes32) -> u64 {
        let position = self.tree.size;
        self.nodes.push(NewNode { level: 0, position, bytes: entry });
        self.tree.size += 1;
        let (mut level, mut at, mut hash) = (0, position, leaf(&entry));
        loop {
            let hashes = self.tree.tiles.entry((level, at / WIDTH)).or_default();
            hashes.push(hash);
            if hashes.len() < WIDTH as usize || level + 1 == Tile::LEVELS {
                return position;
            }
            // A full tile is one hash of the next level.
            hash = joined(hashes.clone());
            (level, at) = (level + 1, at / WIDTH);
            self.nodes.push(NewNode { level, position: at, bytes: hash });
        }
    }

    /// Returns the current head of the log.
    ///
    /// # Errors
    /// A tile of the edge is missing.
    pub fn head(&self) -> Result<TreeHead, Missing> {
        Ok(TreeHead { size: self.tree.size, root: self.tree.root_at(self.tree.size)? })
    }
}
