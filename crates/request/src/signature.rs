//! Signed addresses.

use crate::{Refusal, Rules};
use std::fmt;

/// A secret key.
#[derive(Clone)]
pub struct SigningKey(());

impl SigningKey {
    /// From the key's text.
    pub fn from_text(_text: &str) -> Result<SigningKey, KeyError> {
        todo!()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(…)")
    }
}

/// The key is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyError;

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a signing key is at least one byte long")
    }
}

impl std::error::Error for KeyError {}

/// Signs a target.
pub fn sign(_target: &str, _expires: Option<u64>, _key: &SigningKey, _rules: &Rules) -> Result<String, Refusal> {
    todo!()
}
