//! The exports, called as a host calls them, against the core's own convenience call.

#![allow(clippy::unwrap_used, reason = "a broken test must be loud")]

use std::ptr;

use tintype_abi::{
    ERROR_WORDS, ORDER_WORDS, Order, Planned, REPORT_WORDS, Status, VERSION, WORD_BYTES, error_from_words,
    output_from_words,
};
use tintype_codec::exports::{
    tintype_abi, tintype_alloc, tintype_finish, tintype_free, tintype_plan, tintype_probe, tintype_push,
    tintype_report, tintype_reset,
};
use tintype_core::{Error, FormatChoice, Input, Limit, Limits, Transform, thumbnail};
use tintype_tests::samples;

const WIDE: Transform = Transform { width: Some(96), format: FormatChoice::Png, ..Transform::DEFAULT };

fn write(at: usize, bytes: &[u8]) {
    // SAFETY: the tests write only into blocks they allocated, and no more than those hold.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), ptr::with_exposed_provenance_mut(at), bytes.len()) }
}

fn read(at: usize, len: usize) -> Vec<u8> {
    // SAFETY: the tests read only blocks they allocated, the report, and texts that it names.
    unsafe { std::slice::from_raw_parts(ptr::with_exposed_provenance(at), len) }.to_vec()
}

fn report() -> [u64; REPORT_WORDS] {
    let bytes = read(tintype_report(), REPORT_WORDS * WORD_BYTES);
    let mut words = [0; REPORT_WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(WORD_BYTES)) {
        *word = u64::from_le_bytes(bytes.try_into().unwrap());
    }
    words
}

fn block(bytes: &[u8]) -> usize {
    let at = tintype_alloc(bytes.len());
    assert_ne!(at, 0);
    write(at, bytes);
    at
}

fn status(number: u32) -> Status {
    Status::from_number(number).unwrap()
}

fn order_block(transform: Transform, limits: Limits, len: Option<u64>) -> usize {
    let order = Order { transform, limits, input: Input { len, contiguous: false } };
    let words: [u64; ORDER_WORDS] = order.to_words().unwrap();
    block(&words.map(u64::to_le_bytes).concat())
}

/// The core's error in the report.
fn refusal() -> Option<Error> {
    let words = report();
    let text = String::from_utf8(read(words[4] as usize, words[5] as usize)).unwrap();
    error_from_words(words[..ERROR_WORDS].try_into().unwrap(), text.leak())
}

/// What a host does, pushing `chunk` bytes at a time.
fn make(source: &[u8], transform: Transform, limits: Limits, chunk: usize) -> Result<Vec<u8>, Option<Error>> {
    tintype_reset();
    let whole = block(source);
    let mut len = 12.min(source.len());
    loop {
        match status(tintype_probe(whole, len, u32::from(len == source.len()))) {
            Status::Done => break,
            Status::More => len = source.len().min(usize::try_from(report()[0]).unwrap()),
            _ => return Err(refusal()),
        }
    }
    if status(tintype_plan(order_block(transform, limits, Some(source.len() as u64)))) != Status::Done {
        return Err(refusal());
    }
    let plan = Planned::from_words(&report());
    let (workspace_len, output_len) = (plan.workspace_len() as usize, plan.max_output_len() as usize);
    let (workspace, output) = (tintype_alloc(workspace_len), tintype_alloc(output_len));
    let mut at = 0;
    loop {
        let len = chunk.min(source.len() - at);
        let end = at + len == source.len();
        match status(tintype_push(whole + at, len, u32::from(end), workspace, workspace_len)) {
            Status::Done => break,
            Status::More => at += usize::try_from(report()[0]).unwrap(),
            _ => return Err(refusal()),
        }
    }
    loop {
        match status(tintype_finish(workspace, workspace_len, output, output_len)) {
            Status::Done => return Ok(read(output, output_from_words(&report()).unwrap().len)),
            Status::More => (),
            _ => return Err(refusal()),
        }
    }
}

#[test]
fn the_module_makes_what_the_core_makes() {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("codec-samples");
    for sample in samples::write_all(&dir).unwrap() {
        let source = std::fs::read(dir.join(sample.path)).unwrap();
        // The hostile ones would only take long; the core's own tests have them.
        if source.len() < 1 << 20 && sample.picture.is_some() {
            for chunk in [1000, usize::MAX] {
                let made = make(&source, WIDE, Limits::default(), chunk);
                assert_eq!(made.map_err(Option::unwrap), thumbnail(&source, &WIDE), "{}", sample.path);
            }
        }
    }
}

#[test]
fn the_cores_errors_come_through() {
    let limits = Limits::default();
    let page = b"<!doctype html><html><body>not a picture</body></html>";
    let unsupported = Error::Unsupported { format: None, what: "an HTML page" };
    assert_eq!(make(page, WIDE, limits, 9), Err(Some(unsupported)));
    assert_eq!(make(b"", WIDE, limits, 9), Err(Some(Error::Truncated { format: None })));
    let png = include_bytes!("../../core/testdata/one-pixel.png");
    let small = Limits { source_pixels: 0, ..limits };
    let too_large = Error::TooLarge { limit: Limit::SourcePixels, needed: 1, allowed: 0 };
    assert_eq!(make(png, WIDE, small, 9), Err(Some(too_large)));
    assert_eq!(make(png, WIDE, limits, 9), Ok(thumbnail(png, &WIDE).unwrap()), "the next one is made");
}

#[test]
fn a_confused_host_gets_an_error() {
    tintype_reset();
    assert_eq!(tintype_abi(), VERSION);
    let misused = Status::Misused as u32;
    let at = tintype_alloc(100);
    assert_eq!(tintype_free(at + 64), misused, "no block starts there");
    assert_eq!(tintype_probe(at, 129, 0), misused, "longer than its block");
    assert_eq!(tintype_probe(64, 1, 0), misused, "no block");
    assert_eq!(tintype_probe(at, usize::MAX, 0), misused, "past the end of memory");
    assert_eq!(tintype_plan(at), misused, "before a header was read");
    assert_eq!(tintype_push(at, 1, 0, at, 64), misused, "before a plan was made");
    assert_eq!(tintype_finish(at, 64, at, 64), misused, "before a plan was made");

    let png = include_bytes!("../../core/testdata/one-pixel.png");
    let source = block(png);
    assert_eq!(status(tintype_probe(source, png.len(), 1)), Status::Done);
    let garbage = block(&[0xee; ORDER_WORDS * WORD_BYTES]);
    assert_eq!(tintype_plan(garbage), misused, "no order");
    assert_eq!(tintype_plan(garbage + 8), misused, "not all of an order");
    let order = order_block(WIDE, Limits { memory: 64 << 20, ..Limits::default() }, None);
    assert_eq!(status(tintype_plan(order)), Status::Refused, "a source of unknown length takes 100 MB");
    let order = order_block(WIDE, Limits { source_bytes: 1000, ..Limits::default() }, None);
    assert_eq!(status(tintype_plan(order)), Status::Done);
    let len = usize::try_from(report()[0]).unwrap();
    let workspace = tintype_alloc(len);
    assert_eq!(tintype_push(workspace, 8, 0, workspace, len), misused, "the workspace is no input");
    assert_eq!(tintype_push(source, 8, 0, workspace, len + 64), misused, "longer than its block");
    assert_eq!(status(tintype_push(source, 8, 0, workspace + 64, len - 64)), Status::Refused);
    assert!(matches!(refusal(), Some(Error::BufferTooSmall { .. })));
    assert_eq!(tintype_finish(workspace, len, workspace, len), misused, "one block for two");
    assert_eq!(status(tintype_finish(workspace, len, source, 1)), Status::Refused);
    assert!(matches!(refusal(), Some(Error::OutOfOrder { .. })));

    assert_eq!(tintype_alloc(usize::MAX / 2), 0, "there is no such memory");
    assert_eq!(status(tintype_free(at)), Status::Done);
    tintype_reset();
    assert_eq!(tintype_free(source), misused, "a reset gives all blocks back");
}
