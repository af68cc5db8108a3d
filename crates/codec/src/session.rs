//! One thumbnail being made, as the exports see it: addresses in, a [`Status`] and a report out.

use tintype_abi::{
    ORDER_WORDS, Order, Planned, Probed, REPORT_WORDS, Status, WORD_BYTES, error_to_words, output_to_words,
};
use tintype_core::{Error, Finish, Header, Plan, Probe, Thumbnailer, probe};

use crate::blocks::Blocks;

/// What an instance holds.
pub(crate) struct Session {
    pub(crate) blocks: Blocks,
    header: Option<Header>,
    thumbnailer: Option<Thumbnailer>,
    /// In a box, because the host keeps its address.
    report: Box<[u64; REPORT_WORDS]>,
}

/// The host gave a block that does not exist, or called in an order that has no meaning.
pub(crate) struct Misuse;

/// A part of the host's memory, as it says: address and length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span(pub(crate) usize, pub(crate) usize);

impl Session {
    pub(crate) fn new() -> Session {
        Session {
            blocks: Blocks::default(),
            header: None,
            thumbnailer: None,
            report: Box::new([0; REPORT_WORDS]),
        }
    }

    /// The report's address, the same for as long as the instance lives.
    pub(crate) fn report(&self) -> usize {
        self.report.as_ptr().expose_provenance()
    }

    /// Forgets the thumbnail and all blocks.
    pub(crate) fn reset(&mut self) {
        self.blocks.clear();
        self.header = None;
        self.thumbnailer = None;
        self.report.fill(0);
    }

    pub(crate) fn probe(&mut self, input: Span, end: bool) -> Result<Status, Misuse> {
        let place = self.blocks.find(input.0, input.1).ok_or(Misuse)?;
        let probed = probe(self.blocks.bytes(&place).ok_or(Misuse)?, end);
        Ok(match probed {
            Ok(Probe::Need(bytes)) => self.say(Status::More, &[bytes]),
            Ok(Probe::Ready(header)) => {
                self.header = Some(header);
                self.say(Status::Done, &Probed::of(&header).0)
            }
            Err(error) => self.refuse(error),
        })
    }

    pub(crate) fn plan(&mut self, order: usize) -> Result<Status, Misuse> {
        let header = self.header.ok_or(Misuse)?;
        let place = self.blocks.find(order, ORDER_WORDS * WORD_BYTES).ok_or(Misuse)?;
        let (bytes, _) = self.blocks.bytes(&place).ok_or(Misuse)?.as_chunks::<WORD_BYTES>();
        let mut words = [0; ORDER_WORDS];
        for (word, bytes) in words.iter_mut().zip(bytes) {
            *word = u64::from_le_bytes(*bytes);
        }
        let Order { transform, limits, input } = Order::from_words(&words).ok_or(Misuse)?;
        #[cfg(feature = "crash")]
        crate::crash::order(transform.quality);
        Ok(match Plan::new(&header, &transform, &limits, input) {
            Ok(plan) => {
                self.thumbnailer = Some(Thumbnailer::new(plan));
                self.say(Status::Done, &Planned::of(&plan).0)
            }
            Err(error) => self.refuse(error),
        })
    }

    pub(crate) fn push(&mut self, input: Span, end: bool, workspace: Span) -> Result<Status, Misuse> {
        let thumbnailer = self.thumbnailer.as_mut().ok_or(Misuse)?;
        let input = self.blocks.find(input.0, input.1).ok_or(Misuse)?;
        let workspace = self.blocks.find(workspace.0, workspace.1).ok_or(Misuse)?;
        let [input, workspace] = self.blocks.two(&input, &workspace).ok_or(Misuse)?;
        #[cfg(feature = "crash")]
        crate::crash::now();
        let pushed = thumbnailer.push(input, end, workspace);
        Ok(match pushed {
            Ok(progress) => {
                let status = if progress.complete { Status::Done } else { Status::More };
                self.say(status, &[progress.consumed as u64])
            }
            Err(error) => self.refuse(error),
        })
    }

    pub(crate) fn finish(&mut self, workspace: Span, output: Span) -> Result<Status, Misuse> {
        let thumbnailer = self.thumbnailer.as_mut().ok_or(Misuse)?;
        let workspace = self.blocks.find(workspace.0, workspace.1).ok_or(Misuse)?;
        let output = self.blocks.find(output.0, output.1).ok_or(Misuse)?;
        let [workspace, output] = self.blocks.two(&workspace, &output).ok_or(Misuse)?;
        let finished = thumbnailer.finish(workspace, output);
        Ok(match finished {
            Ok(Finish::More) => self.say(Status::More, &[]),
            Ok(Finish::Done(output)) => self.say(Status::Done, &output_to_words(&output)),
            Err(error) => self.refuse(error),
        })
    }

    /// Writes the report; words that are not given are 0.
    fn say(&mut self, status: Status, words: &[u64]) -> Status {
        self.report.fill(0);
        for (place, word) in self.report.iter_mut().zip(words) {
            // The host reads little-endian, whatever this is.
            *place = word.to_le();
        }
        status
    }

    fn refuse(&mut self, error: Error) -> Status {
        let ([a, b, c, d], what) = error_to_words(error);
        let text = what.as_ptr().expose_provenance() as u64;
        self.say(Status::Refused, &[a, b, c, d, text, what.len() as u64])
    }
}
