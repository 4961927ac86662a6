//! Tests with published vectors, and with the definitions of RFC 6962.

use assam_record::game::Bytes32;
use sha2::{Digest, Sha256};

use super::prove::{NotProved, verify_consistency, verify_inclusion};
use super::tiles::{Tile, WIDTH};
use super::tree::{Growth, Missing, NewNode, Tree, TreeHead, leaf, node};

/// The entries of the reference tests of Certificate Transparency, in hex.
const ENTRIES: [&str; 8] =
    ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
/// The roots without entries, of the first entry, of the first two, ..
const ROOTS: [&str; 9] = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
/// Positions and sizes with the published paths between them.
const INCLUSIONS: [(u64, u64, &[&str]); 2] = [
    (
        0,
        8,
        &[
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        5,
        8,
        &[
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
];
const CONSISTENCIES: [(u64, u64, &[&str]); 3] = [
    (
        2,
        5,
        &[
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
    (
        2,
        8,
        &[
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        6,
        8,
        &[
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
];

fn hash(text: &str) -> Bytes32 {
    hex::decode(text).unwrap().try_into().unwrap()
}

fn hashes(texts: &[&str]) -> Vec<Bytes32> {
    texts.iter().map(|text| hash(text)).collect()
}

/// Returns the tree of the first reference entries.
fn reference(size: u64) -> Tree {
    let leaves: Vec<_> =
        ENTRIES.iter().take(size as usize).map(|entry| leaf(&hex::decode(entry).unwrap())).collect();
    let mut tree = Tree::of_size(size);
    if let Some(tile) = Tile::with(0, 0, size) {
        tree.put(tile, leaves);
    }
    tree
}

fn head(size: u64) -> TreeHead {
    TreeHead { size, root: hash(ROOTS[size as usize]) }
}

#[test]
fn roots_and_proofs_are_those_that_certificate_transparency_published() {
    for size in 0..=8 {
        let tree = reference(size);
        for smaller in 0..=size {
            assert_eq!(tree.root_at(smaller), Ok(head(smaller).root));
        }
    }
    for (position, size, path) in INCLUSIONS {
        let tree = reference(size);
        assert_eq!(tree.inclusion(position), Ok(hashes(path)));
        let leaf = tree.leaf_at(position).unwrap();
        assert_eq!(verify_inclusion(&leaf, position, &hashes(path), &head(size)), Ok(()));
    }
    for (smaller, size, path) in CONSISTENCIES {
        assert_eq!(reference(size).consistency(smaller), Ok(hashes(path)));
        assert_eq!(verify_consistency(&head(smaller), &head(size), &hashes(path)), Ok(()));
    }
}

fn entry(position: u64) -> Bytes32 {
    Sha256::digest(position.to_be_bytes()).into()
}

/// Returns the root of the entries from `low` up to `high`, as RFC 6962 defines it.
fn defined(low: u64, high: u64) -> Bytes32 {
    match high - low {
        0 => Sha256::digest([]).into(),
        1 => leaf(&entry(low)),
        count => {
            let middle = low + (1..).map(|n| 1 << n).take_while(|k| *k < count).last().unwrap_or(1);
            node(&defined(low, middle), &defined(middle, high))
        }
    }
}

/// A log as stored in a database.
#[derive(Default)]
struct KeptTree(std::collections::HashMap<(u8, u64), Bytes32>);

impl KeptTree {
    fn put(&mut self, nodes: &[NewNode]) {
        for node in nodes {
            let hash = if node.level == 0 { leaf(&node.bytes) } else { node.bytes };
            assert_eq!(self.0.insert((node.level, node.position), hash), None);
        }
    }

    fn tile(&self, tile: Tile) -> Vec<Bytes32> {
        (tile.first()..tile.first() + u64::from(tile.width)).map(|at| self.0[&(tile.level, at)]).collect()
    }

    fn edge(&self, size: u64) -> Growth {
        let mut tree = Tree::of_size(size);
        for tile in Growth::edge(size) {
            tree.put(tile, self.tile(tile));
        }
        Growth::new(tree)
    }

    fn asked<T>(&self, size: u64, ask: impl Fn(&Tree) -> Result<T, Missing>) -> T {
        let mut tree = Tree::of_size(size);
        loop {
            match ask(&tree) {
                Ok(answer) => return answer,
                Err(Missing(tile)) => {
                    assert_eq!(Some(tile), Tile::with(tile.level, tile.first(), size));
                    tree.put(tile, self.tile(tile));
                }
            }
        }
    }
}

#[test]
fn a_log_that_grows_in_steps_is_the_tree_of_its_entries_and_proves_every_entry_and_every_earlier_size() {
    let mut kept = KeptTree::default();
    let (mut size, mut heads) = (0, vec![TreeHead::empty()]);
    // Crosses the edges of tiles on two levels.
    for step in [1, 1, 5, 248, 1, 1, 255, 300, 64_700, 24, 1, 600] {
        let mut growth = kept.edge(size);
        for _ in 0..step {
            assert_eq!(growth.push(entry(size)), size);
            size += 1;
        }
        kept.put(&growth.nodes);
        let head = growth.head().unwrap();
        assert_eq!(head, TreeHead { size, root: defined(0, size) });
        heads.push(head);
    }
    let last = heads[heads.len() - 1];
    assert_eq!(kept.asked(size, |tree| tree.root_at(tree_size(&last))), last.root);
    for earlier in &heads {
        let path = kept.asked(size, |tree| tree.consistency(earlier.size));
        assert_eq!(verify_consistency(earlier, &last, &path), Ok(()), "{earlier:?}");
        let forked = TreeHead { root: entry(1), ..*earlier };
        if earlier.size > 0 {
            assert_eq!(verify_consistency(&forked, &last, &path), Err(NotProved));
        }
    }
    for position in [0, 1, 254, 255, 256, 511, 512, 65_535, 65_536, size - 2, size - 1] {
        let path = kept.asked(size, |tree| tree.inclusion(position));
        let leaf = leaf(&entry(position));
        assert_eq!(verify_inclusion(&leaf, position, &path, &last), Ok(()), "{position}");
        assert_eq!(verify_inclusion(&leaf, position ^ 1, &path, &last), Err(NotProved));
        assert_eq!(verify_inclusion(&entry(7), position, &path, &last), Err(NotProved));
        assert_eq!(verify_inclusion(&leaf, position, &path[1..], &last), Err(NotProved));
        let longer = [&path[..], &[entry(1)]].concat();
        assert_eq!(verify_inclusion(&leaf, position, &longer, &last), Err(NotProved));
    }
    assert_eq!(kept.asked(size, |tree| tree.inclusion(size)), Vec::<Bytes32>::new());
    assert_eq!(verify_inclusion(&leaf(&entry(0)), size, &[], &last), Err(NotProved));
}

const fn tree_size(head: &TreeHead) -> u64 {
    head.size
}

#[test]
fn every_proof_of_every_small_log_is_verified_and_no_other_one() {
    for size in 1..40_u64 {
        let mut tree = Tree::of_size(size);
        tree.put(Tile::with(0, 0, size).unwrap(), (0..size).map(|at| leaf(&entry(at))).collect());
        let last = TreeHead { size, root: defined(0, size) };
        assert!(size < WIDTH);
        for position in 0..size {
            let path = tree.inclusion(position).unwrap();
            for at in 0..size {
                let verified = verify_inclusion(&leaf(&entry(position)), at, &path, &last);
                assert_eq!(verified.is_ok(), at == position);
            }
        }
        for smaller in 0..=size {
            let path = tree.consistency(smaller).unwrap();
            let earlier = TreeHead { size: smaller, root: defined(0, smaller) };
            assert_eq!(verify_consistency(&earlier, &last, &path), Ok(()));
            assert_eq!(verify_consistency(&last, &earlier, &path).is_ok(), smaller == size);
            for other in (1..=size).filter(|other| *other != smaller) {
                let wrong = TreeHead { size: other, ..earlier };
                assert_eq!(
                    verify_consistency(&wrong, &last, &path),
                    Err(NotProved),
                    "{smaller} {other} {size}"
                );
            }
        }
    }
}
