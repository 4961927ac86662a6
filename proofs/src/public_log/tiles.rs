//! Tiles: parts of the tree with up to 256 hashes, always fetched whole (<https://c2sp.org/tlog-tiles>).

use std::fmt;

/// The number of hashes in a full tile.
pub const WIDTH: u64 = 256;

/// The bits of a position that a tile spans.
pub(super) const HEIGHT: u32 = 8;

/// A tile: consecutive hashes of a level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tile {
    /// The level, 0 to 7. Level 0 has hashes of single entries, level n has hashes of 256^n entries each.
    pub level: u8,
    /// The place in the level, from 0.
    pub index: u64,
    /// The number of hashes, 1 to 256. It is below 256 only at the right edge.
    pub width: u16,
}

impl Tile {
    /// The maximum number of levels of a log.
    pub const LEVELS: u8 = 8;

    /// Returns the tile with the hash of a level at a position, in a log with this many entries. Returns
    /// `None` if the log has no such hash.
    pub fn with(level: u8, position: u64, size: u64) -> Option<Self> {
        let count = size.checked_shr(u32::from(level) * HEIGHT).unwrap_or_default();
        let index = position / WIDTH;
        let width = count.checked_sub(index * WIDTH)?.min(WIDTH);
        (position < count).then_some(Self { level, index, width: u16::try_from(width).ok()? })
    }

    /// Returns the position of its first hash in its level.
    pub const fn first(&self) -> u64 {
        self.index * WIDTH
    }

    /// Returns the path below the log: `tile/0/x001/067` or `tile/0/x001/067.p/12`.
    pub fn path(&self) -> String {
        format!("tile/{}/{}", self.level, self.place())
    }

    /// Returns the path of the entries of a tile of level 0.
    pub fn entries_path(&self) -> String {
        format!("tile/entries/{}", self.place())
    }

    fn place(&self) -> TilePlace {
        TilePlace { index: self.index, width: self.width }
    }

    /// Reads a tile of a level from the last part of its path, such as `x001/067.p/12`.
    pub fn read(level: u8, place: &str) -> Option<Self> {
        let (index, width) = match place.split_once(".p/") {
            Some((index, width)) => {
                (index, width.parse().ok().filter(|width| (1..WIDTH as u16).contains(width))?)
            }
            None => (place, WIDTH as u16),
        };
        let mut groups = index.split('/').rev();
        let last = groups.next()?;
        let digits =
            groups.map(|group| group.strip_prefix('x')).try_fold(vec![last], |mut digits, group| {
                digits.push(group?);
                Some(digits)
            })?;
        let index = digits.iter().rev().try_fold(0_u64, |index, group| {
            let is_group = group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
            index.checked_mul(1000)?.checked_add(is_group.then(|| group.parse::<u64>().ok())??)
        })?;
        let tile = Self { level, index, width };
        // Each tile has a single path, without leading zeros. Its last position is a number that a log can
        // have.
        let is_one =
            index.checked_mul(WIDTH)?.checked_add(WIDTH).is_some() && tile.place().to_string() == place;
        (level < Self::LEVELS && is_one).then_some(tile)
    }
}

/// The last part of a path.
struct TilePlace {
    index: u64,
    width: u16,
}

impl fmt::Display for TilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.index.to_string();
        let digits = format!("{digits:0>width$}", width = digits.len().div_ceil(3) * 3);
        for group in (0..digits.len() - 3).step_by(3) {
            write!(f, "x{}/", &digits[group..group + 3])?;
        }
        f.write_str(&digits[digits.len() - 3..])?;
        if u64::from(self.width) < WIDTH { write!(f, ".p/{}", self.width) } else { Ok(()) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_has_one_path_as_the_specification_writes_it() {
        // The example of c2sp.org/tlog-tiles: index 1234067.
        let tile = Tile { level: 0, index: 1_234_067, width: 256 };
        assert_eq!(tile.path(), "tile/0/x001/x234/067");
        assert_eq!(Tile { width: 112, ..tile }.entries_path(), "tile/entries/x001/x234/067.p/112");
        for place in ["000", "067", "x001/x234/067", "x001/000.p/1", "999.p/255"] {
            let tile = Tile::read(3, place).unwrap();
            assert_eq!(tile.path(), format!("tile/3/{place}"));
        }
        for place in [
            "",
            "0",
            "0000",
            "x000/067",
            "001/067",
            "x001/x067",
            "067.p/0",
            "067.p/256",
            "067.p/01",
            "067.p/",
            "06a",
            "+67",
            "067/",
            "/067",
            "x001//067",
            "x999/x999/x999/x999/x999/x999/999",
            "067.p/1.p/1",
            "x001/67",
        ] {
            assert_eq!(Tile::read(0, place), None, "{place}");
        }
        assert_eq!(Tile::read(8, "067"), None);
    }

    #[test]
    fn a_log_has_the_tiles_that_its_size_gives() {
        let with =
            |level, position, size| Tile::with(level, position, size).map(|tile| (tile.index, tile.width));
        assert_eq!(with(0, 0, 0), None);
        assert_eq!(with(0, 0, 1), Some((0, 1)));
        assert_eq!(with(0, 255, 300), Some((0, 256)));
        assert_eq!(with(0, 299, 300), Some((1, 44)));
        assert_eq!(with(0, 300, 300), None);
        assert_eq!(with(1, 0, 255), None);
        assert_eq!(with(1, 0, 70_000), Some((0, 256)));
        assert_eq!(with(1, 272, 70_000), Some((1, 17)));
        assert_eq!(with(2, 0, 70_000), Some((0, 1)));
    }
}
