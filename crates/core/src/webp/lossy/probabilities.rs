//! Coefficient probabilities measured on the picture, and sent where that pays (RFC 6386, 9.9 and 13.4).

use super::cost::bit_cost;
use super::tables::{DEFAULT_PROBABILITIES, UPDATE_PROBABILITIES};
use super::tokens::{Counts, NODES, ROWS, node_counts};

/// Probabilities by row (block type, band, context), then node.
pub(super) type Probabilities = [[u8; NODES]; ROWS];

/// The defaults by row.
fn rows(tables: &'static [[[[u8; NODES]; 3]; 8]; 4]) -> impl Iterator<Item = &'static [u8; NODES]> {
    tables.as_flattened().as_flattened().iter()
}

/// The chosen probabilities.
pub(super) fn choose(counts: &Counts) -> Probabilities {
    let mut out = [[0; NODES]; ROWS];
    let defaults = rows(&DEFAULT_PROBABILITIES).zip(rows(&UPDATE_PROBABILITIES));
    for ((out, counts), (default, update)) in out.iter_mut().zip(counts).zip(defaults) {
        *out = *default;
        for (node, [zeros, ones]) in node_counts(counts).into_iter().enumerate() {
            let total = zeros + ones;
            if total == 0 {
                continue;
            }
            let measured =
                ((u64::from(zeros) * 256 + u64::from(total / 2)) / u64::from(total)).clamp(1, 255) as u8;
            let cost = |probability: u8| {
                u64::from(zeros) * u64::from(bit_cost(false, probability))
                    + u64::from(ones) * u64::from(bit_cost(true, probability))
            };
            let keep = cost(default[node]) + u64::from(bit_cost(false, update[node]));
            let change = cost(measured) + u64::from(bit_cost(true, update[node])) + 8 * 256;
            if change < keep {
                out[node] = measured;
            }
        }
    }
    out
}

/// Each probability with its default and the probability of its update flag, in the order they are sent in.
pub(super) fn updates(chosen: &Probabilities) -> impl Iterator<Item = (u8, u8, u8)> {
    let fixed = rows(&DEFAULT_PROBABILITIES).zip(rows(&UPDATE_PROBABILITIES));
    chosen.iter().zip(fixed).flat_map(|(chosen, (default, update))| {
        (0..NODES).map(move |node| (chosen[node], default[node], update[node]))
    })
}

/// A probability of the event that happened `zeros` times in `total`.
pub(super) fn of(zeros: u32, total: u32) -> u8 {
    let total = u64::from(total.max(1));
    ((u64::from(zeros) * 256 + total / 2) / total).clamp(1, 255) as u8
}
