//! A source through one codec instance, in one push.
//!
//! Memory in the instance: the source's bytes, the plan's workspace, and the output.

use js_sys::Uint8Array;
use js_sys::WebAssembly::Module;
use tintype_abi::{Order, Probed};
use tintype_core::{Error, Input, Limit, Limits, Output};
use tintype_instance::{Block, Codec, Failure, Header, INSTANCE_BYTES};
use wasm_bindgen::prelude::*;

use crate::{Address, Trouble};

/// An instance with more memory than this is not kept: WebAssembly gives memory back in no other way.
const KEEP: u64 = 48 << 20;

/// Makes thumbnails, one at a time.
#[wasm_bindgen]
pub struct Maker {
    module: Module,
    /// The instance of the thumbnail before, if that ended well.
    idle: Option<Codec>,
}

#[wasm_bindgen]
impl Maker {
    /// With the codec's compiled module.
    #[wasm_bindgen(constructor)]
    pub fn new(module: Module) -> Maker {
        Maker { module, idle: None }
    }

    /// Refuses a file by its size, before it is read.
    pub fn admit(&self, len: u64) -> Result<(), Trouble> {
        let allowed = Limits::default().source_bytes;
        if len > allowed {
            return Err(Error::TooLarge { limit: Limit::SourceBytes, needed: len, allowed }.into());
        }
        Ok(())
    }

    /// Makes the thumbnail of this source that the address asks for.
    pub fn make(&mut self, address: &Address, source: &Uint8Array) -> Result<Picture, Trouble> {
        let codec = match self.idle.take() {
            Some(codec) => codec,
            None => Codec::new(&self.module)?,
        };
        let made = make(&codec, address, source);
        // One that died is dropped: nobody knows what it left half done.
        let well = !matches!(made, Err(Failure::Died(_)));
        if well && codec.memory() <= KEEP && codec.reset().is_ok() {
            self.idle = Some(codec);
        }
        Ok(made?)
    }
}

/// A finished thumbnail, and what its source is.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Picture {
    bytes: Uint8Array,
    output: Output,
    source: Probed,
    memory: u64,
}

#[wasm_bindgen]
impl Picture {
    /// The file.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> Uint8Array {
        self.bytes.clone()
    }

    /// Its media type.
    #[wasm_bindgen(getter)]
    pub fn media_type(&self) -> String {
        self.output.format.media_type().to_owned()
    }

    /// In pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.output.width
    }

    /// In pixels.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.output.height
    }

    /// The format's name.
    #[wasm_bindgen(getter)]
    pub fn format(&self) -> String {
        self.output.format.to_string()
    }

    /// Part of the source could not be decoded.
    #[wasm_bindgen(getter)]
    pub fn damaged(&self) -> bool {
        self.output.damaged
    }

    /// The instance's memory at the end, in bytes.
    #[wasm_bindgen(getter)]
    pub fn memory(&self) -> u32 {
        narrow(self.memory)
    }

    /// The upright source's width in pixels.
    #[wasm_bindgen(getter)]
    pub fn source_width(&self) -> u32 {
        narrow(self.source.upright_size().0)
    }

    /// The upright source's height in pixels.
    #[wasm_bindgen(getter)]
    pub fn source_height(&self) -> u32 {
        narrow(self.source.upright_size().1)
    }

    /// The source format's name.
    #[wasm_bindgen(getter)]
    pub fn source_format(&self) -> String {
        self.source.format().map_or_else(String::new, |format| format.to_string())
    }
}

/// What comes from the module is within `u32`: sides, and bytes of a memory of 32-bit addresses.
fn narrow(word: u64) -> u32 {
    u32::try_from(word).unwrap_or(u32::MAX)
}

fn make(codec: &Codec, address: &Address, source: &Uint8Array) -> Result<Picture, Failure> {
    let len = source.length();
    // The plan counts what it asks for itself; the source's own bytes come on top.
    let memory = INSTANCE_BYTES.saturating_sub(len.into());
    let limits = Limits { memory, ..Limits::default() };
    let input = codec.alloc(len.into())?;
    codec.write(input, 0, source)?;
    let probed = header(codec, input, len)?;
    let order = Order {
        transform: address.transform(),
        limits,
        input: Input { len: Some(len.into()), contiguous: true },
    };
    let planned = codec.plan(&order)?;
    let workspace = codec.alloc(planned.workspace_len())?;
    codec.push(input, len, true, workspace)?;
    let block = codec.alloc(planned.max_output_len())?;
    loop {
        if let Some(output) = codec.finish(workspace, block)? {
            let bytes = codec.read(block, output.len);
            return Ok(Picture { bytes, output, source: probed, memory: codec.memory() });
        }
    }
}

fn header(codec: &Codec, input: Block, len: u32) -> Result<Probed, Failure> {
    match codec.probe(input, len, true)? {
        Header::Known(probed) => Ok(probed),
        Header::Need(bytes) => Err(Failure::Died(format!("it asked for {bytes} bytes after the last one"))),
    }
}
