//! Arriving bodies, and how long clients may take to send them.

use std::time::Duration;

use actix_web::{HttpMessage as _, HttpRequest, web};
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout};

use crate::http::server::connection::WholeBody;

/// The average speed expected of a body once its patience is over, in bytes a second.
const SPEED: u64 = 1024;

/// How long a body may take before a speed is expected.
#[derive(Clone, Copy, Debug)]
pub struct BodyPatience(pub Duration);

/// A body that arrives piece by piece.
pub struct Arriving {
    req: HttpRequest,
    payload: web::Payload,
    /// The remaining patience. Only time in which the body is awaited counts.
    patience: Duration,
    /// The bytes arrived since the last whole [`SPEED`] of them.
    arrived: u64,
}

/// Why a body did not arrive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotArrived {
    /// It broke off.
    #[error("the body broke off before its end")]
    BrokeOff,
    /// It took too long.
    #[error("the body arrived too slowly: {SPEED} bytes a second are expected")]
    TooSlow,
}

impl Arriving {
    /// Begins to wait for the body of a request.
    pub fn new(req: &HttpRequest, payload: web::Payload) -> Self {
        let patience = req.app_data().map_or(Duration::ZERO, |BodyPatience(patience)| *patience);
        Self { req: req.clone(), payload, patience, arrived: 0 }
    }

    /// Returns the next piece, or none at the end.
    ///
    /// # Errors
    /// If it does not arrive.
    pub async fn next(&mut self) -> Option<Result<Bytes, NotArrived>> {
        let asked = Instant::now();
        let piece = match timeout(self.patience, self.payload.next()).await {
            Err(_) => Err(NotArrived::TooSlow),
            Ok(None) => {
                self.req.extensions_mut().insert(WholeBody);
                return None;
            }
            Ok(Some(Err(_))) => Err(NotArrived::BrokeOff),
            Ok(Some(Ok(piece))) => Ok(piece),
        };
        self.arrived += piece.as_ref().map_or(0, |piece| piece.len() as u64);
        let earned = Duration::from_secs(self.arrived / SPEED);
        self.arrived %= SPEED;
        self.patience = self.patience.saturating_sub(asked.elapsed()) + earned;
        Some(piece)
    }
}
