//! The memory that the host has asked for.
//!
//! A host knows its blocks by their addresses, but an address is never followed: it is looked up among the
//! blocks that were handed out, so that a confused host gets an error, never somebody else's bytes.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

/// The blocks' unit: what a workspace must be aligned to.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

const LINE: usize = tintype_core::WORKSPACE_ALIGN;

/// A part of a block, found by [`Blocks::find`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    block: usize,
    range: Range<usize>,
}

/// All blocks there are.
#[derive(Default)]
pub(crate) struct Blocks {
    blocks: Vec<Vec<Line>>,
}

impl Blocks {
    /// A new block of at least `len` zeroed bytes, at its address; `None` where memory is out.
    pub(crate) fn alloc(&mut self, len: usize) -> Option<usize> {
        // A block of nothing needs an address of its own too.
        let lines = len.div_ceil(LINE).max(1);
        let mut block = Vec::new();
        block.try_reserve_exact(lines).ok()?;
        self.blocks.try_reserve(1).ok()?;
        block.resize(lines, Line::zeroed());
        let address = address(&block);
        self.blocks.push(block);
        Some(address)
    }

    /// Gives a block back; `false` if there is none at this address.
    pub(crate) fn free(&mut self, at: usize) -> bool {
        let found = self.blocks.iter().position(|block| address(block) == at);
        found.map(|place| self.blocks.swap_remove(place)).is_some()
    }

    /// Gives all blocks back.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
    }

    /// Where `len` bytes from an address lie, if they lie in one block.
    pub(crate) fn find(&self, at: usize, len: usize) -> Option<Place> {
        self.blocks.iter().enumerate().find_map(|(block, lines)| {
            let start = at.checked_sub(address(lines))?;
            let end = start.checked_add(len)?;
            (end <= lines.len() * LINE).then_some(Place { block, range: start..end })
        })
    }

    /// The bytes of a place.
    pub(crate) fn bytes(&self, place: &Place) -> Option<&[u8]> {
        bytemuck::cast_slice(self.blocks.get(place.block)?).get(place.range.clone())
    }

    /// The bytes of two places, to be written; `None` unless they lie in two blocks.
    pub(crate) fn two(&mut self, one: &Place, other: &Place) -> Option<[&mut [u8]; 2]> {
        let [a, b] = self.blocks.get_disjoint_mut([one.block, other.block]).ok()?;
        let part = |block, range: &Range<usize>| bytemuck::cast_slice_mut(block).get_mut(range.clone());
        Some([part(a, &one.range)?, part(b, &other.range)?])
    }
}

/// A block's address, as the host knows it. The host writes there between calls, while no reference to the
/// block is alive.
fn address(block: &[Line]) -> usize {
    block.as_ptr().expose_provenance()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_start_on_lines() {
        let mut blocks = Blocks::default();
        for len in [0, 1, 64, 65, 1000] {
            let at = blocks.alloc(len).unwrap();
            assert!(at.is_multiple_of(64) && at != 0);
            assert!(blocks.find(at, len).is_some());
        }
    }

    #[test]
    fn what_was_not_handed_out_is_not_found() {
        let mut blocks = Blocks::default();
        let at = blocks.alloc(128).unwrap();
        assert_eq!(blocks.find(at, 129), None);
        assert_eq!(blocks.find(at + 1, 128), None);
        assert_eq!(blocks.find(at - 1, 1), None);
        assert_eq!(blocks.find(0, 0), None);
        assert_eq!(blocks.find(at + 1, usize::MAX), None);
        assert!(blocks.find(at + 128, 0).is_some(), "the end is within");
        assert!(!blocks.free(at + 64), "only a block's start frees it");
        assert!(blocks.free(at));
        assert!(!blocks.free(at), "once");
        assert_eq!(blocks.find(at, 1), None);
    }

    #[test]
    fn two_places_in_one_block_are_refused() {
        let mut blocks = Blocks::default();
        let (a, b) = (blocks.alloc(64).unwrap(), blocks.alloc(64).unwrap());
        let place = |at, len| blocks.find(at, len).unwrap();
        let (first, second, other) = (place(a, 8), place(a + 8, 8), place(b, 8));
        assert!(blocks.two(&first, &second).is_none());
        assert!(blocks.two(&first, &other).is_some());
    }

    #[test]
    fn memory_that_cannot_be_had_is_refused() {
        assert_eq!(Blocks::default().alloc(usize::MAX / 2), None);
    }
}
