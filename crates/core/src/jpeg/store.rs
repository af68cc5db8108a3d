//! The decoder's own part of the workspace: tables and window, of a size that does not depend on the picture.

use bytemuck::{Pod, Zeroable};

use super::huffman::{AcTable, DcTable, Lists, standard_tables};
use super::window::{READ_AHEAD, WINDOW};

/// Tables and window. What it holds at first does not matter.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Store {
    pub(super) dc: [DcTable; 4],
    pub(super) ac: [AcTable; 4],
    pub(super) dc_lists: [Lists; 4],
    pub(super) ac_lists: [Lists; 4],
    pub(super) window: [u8; WINDOW + READ_AHEAD],
}

/// Which of a class's four tables are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tables {
    /// Their lists are in the store.
    listed: [bool; 4],
    /// Their look-up forms are made from those lists.
    built: [bool; 4],
}

impl Tables {
    /// Table `n` has new lists.
    pub(super) fn replace(&mut self, n: usize) {
        self.listed[n & 3] = true;
        self.built[n & 3] = false;
    }

    /// Whether table `n` is there.
    pub(super) fn has(&self, n: usize) -> bool {
        self.listed[n & 3]
    }

    /// Whether table `n` is yet to be built; from now on it is not.
    pub(super) fn must_build(&mut self, n: usize) -> bool {
        !core::mem::replace(&mut self.built[n & 3], true)
    }
}

impl Store {
    /// Puts the tables of annex K in places 0 and 1, as they are until the file says otherwise.
    pub(super) fn start(&mut self) -> Tables {
        let (dc, ac) = standard_tables();
        self.dc_lists[..2].copy_from_slice(&dc);
        self.ac_lists[..2].copy_from_slice(&ac);
        Tables { listed: [true, true, false, false], built: [false; 4] }
    }
}
