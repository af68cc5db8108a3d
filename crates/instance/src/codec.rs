//! One instance of the codec module, and its calls.
//!
//! An instance that has thrown is broken: what it was doing may be half done. Its calls then say
//! [`Failure::Died`], and whoever gets that must drop it.

use std::cell::RefCell;
use std::collections::HashSet;

use js_sys::Uint8Array;
use js_sys::WebAssembly::{Memory, Module};
use tintype_abi::{
    ERROR_WORDS, Order, Planned, Probed, REPORT_WORDS, Status, VERSION, WORD_BYTES, error_from_words,
    output_from_words,
};
use tintype_core::{Error, Output};
use wasm_bindgen::prelude::*;

/// The most memory an instance can be given: the module says so itself (see `cargo xtask edge`), and some of it
/// is its own.
pub const INSTANCE_BYTES: u64 = 124 << 20;

#[wasm_bindgen(module = "/instance.js")]
extern "C" {
    /// Makes an instance whose traps are exceptions.
    #[wasm_bindgen(catch)]
    fn instantiate(module: &Module) -> Result<Exports, JsValue>;
}

#[wasm_bindgen]
extern "C" {
    /// The module's exports: see the crate `tintype-codec`.
    type Exports;
    #[wasm_bindgen(method, getter)]
    fn memory(this: &Exports) -> Memory;
    #[wasm_bindgen(method, catch)]
    fn tintype_abi(this: &Exports) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn tintype_alloc(this: &Exports, len: u32) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn tintype_free(this: &Exports, block: u32) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn tintype_report(this: &Exports) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn tintype_reset(this: &Exports) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn tintype_probe(this: &Exports, input: u32, len: u32, end: u32) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn tintype_plan(this: &Exports, order: u32) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn tintype_push(
        this: &Exports,
        input: u32,
        len: u32,
        end: u32,
        workspace: u32,
        workspace_len: u32,
    ) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn tintype_finish(
        this: &Exports,
        workspace: u32,
        workspace_len: u32,
        output: u32,
        output_len: u32,
    ) -> Result<u32, JsValue>;
}

/// An instance of the module.
pub struct Codec {
    exports: Exports,
    report: u32,
}

/// A block of an instance's memory.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    at: u32,
    len: u32,
}

/// What the source's first bytes tell.
#[derive(Clone, Copy, Debug)]
pub enum Header {
    /// Too few: so many are needed.
    Need(u64),
    /// The header.
    Known(Probed),
}

/// Why a call gave nothing.
#[derive(Debug)]
pub enum Failure {
    /// The core refused; the instance is well.
    Core(Error),
    /// The instance cannot have this much memory now; it is well.
    NoMemory(u64),
    /// The instance threw, or does not understand us. It must be dropped.
    Died(String),
}

impl Codec {
    /// A new instance of the codec's compiled module.
    pub fn new(module: &Module) -> Result<Codec, Failure> {
        let exports = instantiate(module).map_err(|error| died(&error))?;
        let version = exports.tintype_abi().map_err(|error| died(&error))?;
        if version != VERSION {
            return Err(Failure::Died(format!("its calls are version {version}, ours {VERSION}")));
        }
        let report = exports.tintype_report().map_err(|error| died(&error))?;
        Ok(Codec { exports, report })
    }

    /// Bytes of the instance's memory. They never become fewer.
    pub fn memory(&self) -> u64 {
        let buffer: js_sys::ArrayBuffer = self.exports.memory().buffer().unchecked_into();
        buffer.byte_length().into()
    }

    /// A new block of zeroed bytes.
    pub fn alloc(&self, len: u64) -> Result<Block, Failure> {
        let Ok(asked) = u32::try_from(len) else { return Err(Failure::NoMemory(len)) };
        match self.exports.tintype_alloc(asked).map_err(|error| died(&error))? {
            0 => Err(Failure::NoMemory(len)),
            at => Ok(Block { at, len: asked }),
        }
    }

    /// Gives a block back.
    pub fn free(&self, block: Block) -> Result<(), Failure> {
        let freed = self.exports.tintype_free(block.at);
        self.status(freed).map(|_| ())
    }

    /// Forgets the thumbnail and all blocks.
    pub fn reset(&self) -> Result<(), Failure> {
        self.exports.tintype_reset().map_err(|error| died(&error))
    }

    /// Copies bytes into a block, from `at` on.
    pub fn write(&self, block: Block, at: u32, bytes: &Uint8Array) -> Result<(), Failure> {
        if u64::from(at) + u64::from(bytes.length()) > block.len.into() {
            return Err(Failure::Died("a block was too small for what it was made for".to_owned()));
        }
        self.view(block.at + at, bytes.length()).set(bytes, 0);
        Ok(())
    }

    /// A copy of a block's first `len` bytes, in JavaScript's memory.
    pub fn read(&self, block: Block, len: usize) -> Uint8Array {
        let len = u32::try_from(len).unwrap_or(u32::MAX).min(block.len);
        self.view(block.at, len).slice(0, len)
    }

    /// Reads the header from a block's first `len` bytes; `end` if they are the whole source.
    pub fn probe(&self, input: Block, len: u32, end: bool) -> Result<Header, Failure> {
        let status = self.status(self.exports.tintype_probe(input.at, len, end.into()))?;
        let report = self.report();
        Ok(match status {
            Status::More => Header::Need(report[0]),
            _ => Header::Known(Probed::from_words(&report)),
        })
    }

    /// Plans, and tells what memory that takes.
    pub fn plan(&self, order: &Order) -> Result<Planned, Failure> {
        let words = order.to_words().ok_or(Failure::Died("an order without words".to_owned()))?;
        let bytes = words.map(u64::to_le_bytes).concat();
        let block = self.alloc(bytes.len() as u64)?;
        self.write(block, 0, &Uint8Array::from(bytes.as_slice()))?;
        self.status(self.exports.tintype_plan(block.at))?;
        let planned = Planned::from_words(&self.report());
        self.free(block)?;
        Ok(planned)
    }

    /// Pushes a block's first `len` bytes; whether the source is complete.
    pub fn push(&self, input: Block, len: u32, end: bool, workspace: Block) -> Result<bool, Failure> {
        let pushed = self.exports.tintype_push(input.at, len, end.into(), workspace.at, workspace.len);
        Ok(self.status(pushed)? == Status::Done)
    }

    /// Runs the next stage; the thumbnail's facts after the last one.
    pub fn finish(&self, workspace: Block, output: Block) -> Result<Option<Output>, Failure> {
        let finished = self.exports.tintype_finish(workspace.at, workspace.len, output.at, output.len);
        if self.status(finished)? == Status::More {
            return Ok(None);
        }
        let output = output_from_words(&self.report());
        output.map(Some).ok_or_else(|| Failure::Died("a thumbnail without facts".to_owned()))
    }

    /// What a call came to; whatever is neither done nor to be continued is a failure.
    fn status(&self, called: Result<u32, JsValue>) -> Result<Status, Failure> {
        let number = called.map_err(|error| died(&error))?;
        match Status::from_number(number) {
            Some(status @ (Status::Done | Status::More)) => Ok(status),
            Some(Status::Refused) => Err(self.refusal()),
            Some(Status::Misused) => Err(Failure::Died("it was called wrongly".to_owned())),
            None => Err(Failure::Died(format!("it said {number}, which is no status"))),
        }
    }

    fn refusal(&self) -> Failure {
        let words = self.report();
        let mut error = [0; ERROR_WORDS];
        error.copy_from_slice(&words[..ERROR_WORDS]);
        let (at, len) = (words[ERROR_WORDS] as u32, words[ERROR_WORDS + 1] as u32);
        let text = String::from_utf8_lossy(&self.view(at, len).to_vec()).into_owned();
        error_from_words(error, literal(text))
            .map_or_else(|| Failure::Died("an error of an unknown kind".to_owned()), Failure::Core)
    }

    fn report(&self) -> [u64; REPORT_WORDS] {
        let mut bytes = [0; REPORT_WORDS * WORD_BYTES];
        self.view(self.report, bytes.len() as u32).copy_to(&mut bytes);
        let (words, _) = bytes.as_chunks::<WORD_BYTES>();
        let mut report = [0; REPORT_WORDS];
        for (word, bytes) in report.iter_mut().zip(words) {
            *word = u64::from_le_bytes(*bytes);
        }
        report
    }

    /// The memory there is now. A view lasts until the memory grows, so none is kept.
    fn view(&self, at: u32, len: u32) -> Uint8Array {
        Uint8Array::new_with_byte_offset_and_length(&self.exports.memory().buffer(), at, len)
    }
}

/// An exception's text.
pub fn text_of(exception: &JsValue) -> String {
    match exception.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.to_string()),
        None => format!("{exception:?}"),
    }
}

fn died(exception: &JsValue) -> Failure {
    Failure::Died(text_of(exception))
}

/// The text as one that lasts, as the core's errors have them. There they are literals, so that each is leaked
/// here once and their number is bounded.
fn literal(text: String) -> &'static str {
    thread_local! {
        static TEXTS: RefCell<HashSet<&'static str>> = RefCell::default();
    }
    TEXTS.with_borrow_mut(|texts| {
        if let Some(known) = texts.get(text.as_str()) {
            return *known;
        }
        let kept = &*text.leak();
        texts.insert(kept);
        kept
    })
}
