//! VP8L's prefix codes (RFC 9649, 3.7.2): made from counts, written to a file.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::bits::Bits;

/// The longest code of a channel's symbols, and of the lengths of these.
const LIMIT: u8 = 15;
const LENGTHS_LIMIT: u8 = 7;

/// The order that the lengths of the codes for lengths are written in.
const ORDER: [usize; 19] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// A code: each symbol's bits and their number. Where there is only one symbol it takes none.
#[derive(Debug)]
pub(crate) struct Code {
    bits: Vec<u16>,
    lengths: Vec<u8>,
}

impl Code {
    /// Makes the code for a channel's symbols, 256 or 280 of them, and writes it.
    pub(crate) fn of_channel(counts: &[u32], bits: &mut Bits) -> Code {
        let code = Code::of(counts, LIMIT);
        if code.is_trivial() {
            let symbol = counts.iter().position(|&count| count > 0).unwrap_or(0);
            Code::write_single(symbol as u8, bits);
        } else {
            code.write_lengths(bits);
        }
        code
    }

    /// Writes a code of one symbol.
    pub(crate) fn write_single(symbol: u8, bits: &mut Bits) {
        bits.write(1, 2); // a simple code of one symbol
        let len = if symbol <= 1 { 1 } else { 8 };
        bits.write(u64::from(len == 8), 1);
        bits.write(symbol.into(), len);
    }

    /// Writes a symbol.
    pub(crate) fn write(&self, symbol: usize, bits: &mut Bits) {
        bits.write(self.bits[symbol].into(), self.lengths[symbol]);
    }

    fn is_trivial(&self) -> bool {
        self.lengths.iter().all(|&length| length == 0)
    }

    /// The shortest code with no symbol longer than `limit`, or near it.
    fn of(counts: &[u32], limit: u8) -> Code {
        let mut lengths = huffman_lengths(counts);
        if lengths.iter().any(|&length| length > limit) {
            shorten(&mut lengths, counts, limit);
        }
        let bits = canonical(&lengths, limit);
        Code { bits, lengths }
    }

    fn write_lengths(&self, bits: &mut Bits) {
        let mut counts = [0_u32; 16];
        for &length in &self.lengths {
            counts[usize::from(length)] += 1;
        }
        let code = Code::of(&counts, LENGTHS_LIMIT);
        let trivial = code.is_trivial();
        bits.write(0, 1); // not a simple code
        bits.write(19 - 4, 4); // the lengths of how many lengths follow, less 4
        for place in ORDER {
            let length = match counts.get(place) {
                None | Some(0) => 0,
                Some(_) if trivial => 1,
                Some(_) => code.lengths[place],
            };
            bits.write(length.into(), 3);
        }
        if self.lengths.len() == 256 {
            bits.write(1, 1); // how many lengths follow is stated,
            bits.write(3, 3); // in 8 bits,
            bits.write(254, 8); // less 2
        } else {
            bits.write(0, 1); // all lengths follow
        }
        for &length in &self.lengths {
            code.write(length.into(), bits);
        }
    }
}

/// A tree and how often what is in it occurs. The rarest is the greatest, because a heap gives that first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Item {
    count: u32,
    node: u16,
}

impl Ord for Item {
    fn cmp(&self, other: &Item) -> Ordering {
        other.count.cmp(&self.count)
    }
}

impl PartialOrd for Item {
    fn partial_cmp(&self, other: &Item) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The lengths of a Huffman code; all 0 where there are fewer than two symbols.
fn huffman_lengths(counts: &[u32]) -> Vec<u8> {
    let mut lengths = vec![0; counts.len()];
    let used = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let mut heap: BinaryHeap<Item> = used.map(|(node, &count)| Item { count, node: node as u16 }).collect();
    if heap.len() < 2 {
        return lengths;
    }
    let mut inner: Vec<(u16, u16)> = Vec::new();
    while let Some(rarest) = heap.pop() {
        let Some(mut next) = heap.peek_mut() else {
            // It holds everything: walk down from it.
            let mut walk = vec![(rarest.node, 0_u8)];
            while let Some((node, depth)) = walk.pop() {
                match usize::from(node).checked_sub(counts.len()) {
                    None => lengths[usize::from(node)] = depth,
                    Some(place) => {
                        let (left, right) = inner[place];
                        walk.extend([(left, depth + 1), (right, depth + 1)]);
                    }
                }
            }
            break;
        };
        inner.push((rarest.node, next.node));
        let node = (counts.len() + inner.len() - 1) as u16;
        *next = Item { count: rarest.count + next.count, node };
    }
    lengths
}

/// Makes all lengths `limit` at most, at little cost, and gives the longest to the rarest symbols.
fn shorten(lengths: &mut [u8], counts: &[u32], limit: u8) {
    let limit_at = usize::from(limit);
    // How many symbols have each length.
    let mut having = [0_u32; 16];
    for &length in &*lengths {
        having[usize::from(length.min(limit))] += 1;
    }
    let mut total: u32 = (1..=limit_at).map(|length| having[length] << (limit_at - length)).sum();
    while total > 1 << limit_at {
        // There is one: symbols of full length alone are not too many.
        let Some(shorter) = (1..limit_at).rev().find(|&length| having[length] > 0) else { break };
        having[shorter] -= 1;
        having[limit_at] -= 1;
        having[shorter + 1] += 2;
        total -= 1;
    }
    let mut rarest_first: Vec<usize> = (0..counts.len()).filter(|&symbol| counts[symbol] > 0).collect();
    // Stable: symbols that are equally rare keep their order, on every machine.
    rarest_first.sort_by_key(|&symbol| counts[symbol]);
    let mut length = limit_at;
    for symbol in rarest_first {
        while having[length] == 0 && length > 1 {
            length -= 1;
        }
        lengths[symbol] = length as u8;
        having[length] = having[length].saturating_sub(1);
    }
}

/// The canonical code of these lengths, each symbol's bits reversed as they are written.
fn canonical(lengths: &[u8], limit: u8) -> Vec<u16> {
    let mut bits = vec![0; lengths.len()];
    let mut next = 0_u32;
    for length in 1..=limit {
        for (bits, _) in bits.iter_mut().zip(lengths).filter(|(_, of)| **of == length) {
            *bits = (next as u16).reverse_bits() >> (16 - length);
            next += 1;
        }
        next <<= 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_beyond_the_limit_are_shortened() {
        // Fibonacci's numbers make the deepest tree.
        let mut counts = vec![1_u32, 1];
        for at in 2..24 {
            counts.push(counts[at - 1] + counts[at - 2]);
        }
        assert!(huffman_lengths(&counts).contains(&23));
        let code = Code::of(&counts, LIMIT);
        assert!(code.lengths.iter().all(|length| (1..=LIMIT).contains(length)));
        let space: u32 = code.lengths.iter().map(|&length| 1 << (LIMIT - length)).sum();
        assert_eq!(space, 1 << LIMIT, "a complete code");
        assert!(code.lengths.is_sorted_by(|a, b| a >= b), "the rarer, the longer");
    }

    #[test]
    fn one_symbol_takes_no_bits() {
        assert!(Code::of(&[0, 7, 0], LIMIT).is_trivial());
        assert!(!Code::of(&[1, 7, 0], LIMIT).is_trivial());
    }
}
