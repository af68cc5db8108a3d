//! Marker codes (T.81, table B.1): the byte after 0xFF.

pub(super) const TEM: u8 = 0x01;
pub(super) const SOF0: u8 = 0xc0;
pub(super) const SOF1: u8 = 0xc1;
pub(super) const SOF2: u8 = 0xc2;
pub(super) const DHT: u8 = 0xc4;
pub(super) const JPG: u8 = 0xc8;
pub(super) const DAC: u8 = 0xcc;
pub(super) const SOF15: u8 = 0xcf;
pub(super) const RST0: u8 = 0xd0;
pub(super) const RST7: u8 = 0xd7;
pub(super) const SOI: u8 = 0xd8;
pub(super) const EOI: u8 = 0xd9;
pub(super) const SOS: u8 = 0xda;
pub(super) const DQT: u8 = 0xdb;
pub(super) const DRI: u8 = 0xdd;
pub(super) const APP0: u8 = 0xe0;
pub(super) const APP1: u8 = 0xe1;
pub(super) const APP2: u8 = 0xe2;
pub(super) const APP14: u8 = 0xee;

/// Whether the marker stands alone: no length and no segment follow it.
pub(super) const fn stands_alone(code: u8) -> bool {
    matches!(code, TEM | RST0..=EOI)
}

/// The number of a restart marker, 0 to 7.
pub(super) const fn restart_number(code: u8) -> Option<u8> {
    if matches!(code, RST0..=RST7) { Some(code - RST0) } else { None }
}
