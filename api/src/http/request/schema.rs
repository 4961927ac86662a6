//! The schemas of requests, as in the OpenAPI document.

use std::any::TypeId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use assam_record::game::GameId;
use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, ToSchema};

/// A schema with those it refers to.
pub struct RequestSchema {
    root: Value,
    named: Map<String, Value>,
}

thread_local! {
    /// Schemas are made once for each type and thread.
    static KNOWN: RefCell<HashMap<TypeId, Rc<RequestSchema>>> = RefCell::default();
}

fn known<T: 'static>(make: impl FnOnce() -> RequestSchema) -> Rc<RequestSchema> {
    KNOWN
        .with_borrow_mut(|known| Rc::clone(known.entry(TypeId::of::<T>()).or_insert_with(|| Rc::new(make()))))
}

fn json_of(schema: &RefOr<Schema>) -> Value {
    serde_json::to_value(schema).unwrap_or_default()
}

impl RequestSchema {
    /// Returns the schema of a body.
    pub fn of_body<T: ToSchema + 'static>() -> Rc<Self> {
        known::<T>(|| {
            let mut named = Vec::new();
            T::schemas(&mut named);
            let named = named.iter().map(|(name, schema)| (name.clone(), json_of(schema))).collect();
            Self { root: json_of(&T::schema()), named }
        })
    }

    /// Returns the schema of a query: an object with the parameters as members.
    pub fn of_query<T: IntoParams + 'static>() -> Rc<Self> {
        known::<T>(|| {
            let mut properties = Map::new();
            for parameter in T::into_params(|| None) {
                let schema = parameter.schema.as_ref().map(json_of);
                properties.insert(parameter.name, schema.unwrap_or_default());
            }
            let root = json!({"type": "object", "properties": properties, "additionalProperties": false});
            Self { root, named: Map::new() }
        })
    }

    /// Returns the root schema.
    pub const fn root(&self) -> &Value {
        &self.root
    }

    /// Resolves a reference to a schema.
    pub fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next());
        name.and_then(|name| self.named.get(name)).unwrap_or(schema)
    }
}

/// The path of a game or a part of it.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct GamePath {
    /// Id of the game
    #[expect(dead_code, reason = "only its schema is used")]
    id: GameId,
}

/// The path of a seat.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SeatPath {
    /// Number of the seat, from 1
    #[param(minimum = 1, maximum = 4)]
    #[expect(dead_code, reason = "only its schema is used")]
    seat: u8,
}
