//! Valid files with a few changes: each eight bytes of input are one, of the file that the first byte names. The
//! result is the same in one push and in pieces.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_core::jpeg::Scale;
use tintype_fuzz::{SEEDS, decode};

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, changes)) = bytes.split_first() else { return };
    let mut file = SEEDS[usize::from(first) % SEEDS.len()].to_vec();
    for change in changes.as_chunks::<8>().0.iter().take(12) {
        let [kind, place_high, place_low, a, b, c, d, e] = *change;
        let place = usize::from(u16::from_be_bytes([place_high, place_low])) % file.len().max(1);
        let end = (place + usize::from(a)).min(file.len());
        match kind % 7 {
            0 => file[place] = a,
            1 => file[place] ^= 1 << (a % 8),
            2 => drop(file.drain(place..end)),
            3 => drop(file.splice(place..place, [a, b, c, d, e])),
            4 => {
                // A part once more, somewhere else.
                let part = file[place..end].to_vec();
                let to = usize::from(u16::from_be_bytes([b, c])) % file.len().max(1);
                drop(file.splice(to..to, part));
            }
            5 => file.truncate(place.max(4)),
            // A marker, with or without a segment.
            _ => drop(file.splice(place..place, [0xff, 0xc0 | a % 64, 0, b % 16, c, d, e])),
        }
        if file.is_empty() {
            return;
        }
    }
    let scale = Scale::ALL[usize::from(first) / 8 % 4];
    let whole = decode(&file, scale, || usize::MAX, 0);
    let step = 1 + usize::from(first) * 3;
    assert_eq!(whole, decode(&file, scale, || step, 0xff));
});
