//! The whole path in one call, for callers without memory of their own to manage.

use alloc::vec;
use alloc::vec::Vec;

use crate::{Error, Finish, Input, Limits, Plan, Probe, Thumbnailer, Transform, WORKSPACE_ALIGN, probe};

/// Makes a thumbnail of a whole file under [`Limits::default`].
///
/// # Errors
/// Those of [`probe`], [`Plan::new`] and [`Thumbnailer`].
pub fn thumbnail(source: &[u8], transform: &Transform) -> Result<Vec<u8>, Error> {
    let Probe::Ready(header) = probe(source, true)? else {
        return Err(Error::Truncated { format: None }); // probe never asks for more than the whole file
    };
    let input = Input { len: Some(source.len() as u64), contiguous: true };
    let plan = Plan::new(&header, transform, &Limits::default(), input)?;

    let mut memory = vec![0; plan.workspace_len() + WORKSPACE_ALIGN];
    let start = memory.as_ptr().align_offset(WORKSPACE_ALIGN);
    let workspace = &mut memory[start..start + plan.workspace_len()];
    let mut output = vec![0; plan.max_output_len()];

    let mut thumbnailer = Thumbnailer::new(plan);
    thumbnailer.push(source, true, workspace)?;
    loop {
        if let Finish::Done(done) = thumbnailer.finish(workspace, &mut output)? {
            output.truncate(done.len);
            output.shrink_to_fit();
            return Ok(output);
        }
    }
}
