//! The label of a seat in requests.

use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A label for a seat.
#[derive(Deserialize, Serialize)]
#[serde(transparent)]
pub struct SeatName(String);

/// The pattern of a label, apart from its length. Readers of patterns in all languages understand it.
pub const PATTERN: &str =
    r"^[^\s\u0000-\u001f\u007f-\u009f]([^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f])?$";

impl SeatName {
    /// Returns the label.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialSchema for SeatName {
    fn schema() -> RefOr<Schema> {
        let name = ObjectBuilder::new().schema_type(Type::String).pattern(Some(PATTERN));
        let name = name.min_length(Some(1)).max_length(Some(64)).examples(["Aisha"]);
        name.description(Some(
            "A label for a seat: 1 to 64 characters, at least one of them visible. A character may have at most 4 combining marks (8 in \
             Hebrew, Tibetan, Burmese and Tai Tham). Control and format characters are allowed only if the script needs them. \
             Leading and trailing spaces are not allowed.",
        ))
        .into()
    }
}

impl ToSchema for SeatName {}
