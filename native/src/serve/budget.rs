//! Memory for all requests together.
//!
//! A request takes its price before it reads its source, waiting in line if others have the memory, and
//! gives it back in parts: all but its result's when the work is done, that when the result is sent. Prices are
//! taken at once, never in parts, so that no two requests wait for each other.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The unit of account: fine enough for thumbnails, and a semaphore's 32 bits of it are 4 TiB.
const UNIT: u64 = 1 << 10;

/// The memory all requests share.
#[derive(Clone)]
pub(crate) struct Budget {
    units: Arc<Semaphore>,
    total: u32,
}

impl Budget {
    /// A budget of so many bytes.
    pub(crate) fn new(bytes: u64) -> Budget {
        let total = u32::try_from(bytes / UNIT).unwrap_or(u32::MAX);
        Budget { units: Arc::new(Semaphore::new(total as usize)), total }
    }

    /// All of it, in bytes: what a single request may cost.
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.total) * UNIT
    }

    /// Waits for `bytes` of it, in the order of asking. A price above all of it takes all of it.
    pub(crate) async fn take(&self, bytes: u64) -> Share {
        let units = units(bytes).min(self.total);
        // The semaphore is never closed; were it, the request would go on unaccounted.
        let permit = Arc::clone(&self.units).acquire_many_owned(units).await.ok();
        Share { permit }
    }
}

/// Memory taken from a [`Budget`], given back on drop.
pub(crate) struct Share {
    permit: Option<OwnedSemaphorePermit>,
}

impl Share {
    /// Gives back all but `bytes`.
    pub(crate) fn shrink_to(&mut self, bytes: u64) {
        if let Some(permit) = &mut self.permit {
            let surplus = permit.num_permits().saturating_sub(units(bytes) as usize);
            drop(permit.split(surplus));
        }
    }
}

fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn shares_are_taken_shrunk_and_given_back() {
        let budget = Budget::new(10 << 10);
        let mut share = budget.take(9 << 10).await;
        assert_eq!(budget.units.available_permits(), 1);
        share.shrink_to(2000);
        assert_eq!(budget.units.available_permits(), 8);
        share.shrink_to(5000); // growing is not shrinking
        assert_eq!(budget.units.available_permits(), 8);
        drop(share);
        let _all = budget.take(u64::MAX).await;
        assert_eq!(budget.units.available_permits(), 0);
    }
}
