//! JSON without repeated names.

use std::fmt;

use assam_notation::StrayCharacter;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Number, Value};

use crate::problem::{Code, Problem, short};

/// Reads JSON. Objects with a repeated name are refused, because readers could disagree about its value (RFC
/// 8259, section 4).
///
/// # Errors
/// `bad_json`, with line and column.
pub fn read(bytes: &[u8]) -> Result<Value, Problem> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Strict.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| {
        // On a line that has not begun, this means its first column.
        let (line, column) = (error.line(), error.column().max(1));
        let wrong = match error.classify() {
            Category::Eof => "the JSON breaks off".to_owned(),
            // The only error of this reader itself. serde_json adds the place to its text.
            Category::Data => {
                let text = error.to_string();
                text.rsplit_once(" at line ").map_or(text.as_str(), |(wrong, _)| wrong).to_owned()
            }
            Category::Syntax | Category::Io => match stray(bytes, line, column) {
                Some(stray) => format!("the body is not JSON: {stray} is only allowed in strings"),
                None => "the body is not JSON".to_owned(),
            },
        };
        Problem {
            line: u32::try_from(line).ok(),
            column: u32::try_from(column).ok(),
            ..Problem::new(Code::BadJson, format!("{wrong}: line {line}, column {column}"))
        }
    })
}

/// Returns the character at a place, unless it is visible ASCII. Columns count bytes.
fn stray(bytes: &[u8], line: usize, column: usize) -> Option<StrayCharacter> {
    let line = bytes.split(|byte| *byte == b'\n').nth(line.checked_sub(1)?)?;
    let rest = String::from_utf8_lossy(line.get(column.checked_sub(1)?..)?);
    StrayCharacter::first_in(&rest).filter(|stray| stray.offset == 0)
}

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(Self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if values.contains_key(&name) {
                let name = short(&name);
                return Err(A::Error::custom(format!("the name {name:?} appears twice in one object")));
            }
            values.insert(name, members.next_value_seed(Self)?);
        }
        Ok(Value::Object(values))
    }
}
