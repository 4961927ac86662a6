//! Adjusts all schemas to what client generators understand and the types cannot express.

use serde_json::{Map, Value, json};

const SCHEMAS: &str = "#/components/schemas/";

/// Adjusts the schemas, and all places that use them.
pub fn finish(document: &mut Value) {
    let mut plain = Map::new();
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        tell_apart(schemas);
        schemas.values_mut().for_each(always_sent);
        // The notation refuses longer words.
        if let Some(word) = schemas.get_mut("SubmitMoves") {
            word["properties"]["moves"]["items"]["maxLength"] = json!(64);
        }
        // Schemas without a description only define a form. They are inlined, because generators make a type
        // of each named schema.
        let is_plain = |schema: &Value| schema["description"].is_null();
        let names: Vec<String> =
            schemas.iter().filter(|(_, schema)| is_plain(schema)).map(|(name, _)| name.clone()).collect();
        plain.extend(names.into_iter().filter_map(|name| schemas.remove_entry(&name)));
        for schema in plain.values_mut() {
            if let Some([value]) = schema["enum"].as_array().map(Vec::as_slice) {
                *schema = json!({"type": "string", "const": value});
            }
        }
    }
    settle(document, &plain);
}

/// Makes a separate schema of each `oneOf` arm that names itself in a member.
fn tell_apart(schemas: &mut Map<String, Value>) {
    let names: Vec<String> = schemas.keys().cloned().collect();
    for name in names {
        let arms = schemas[&name]["oneOf"].as_array().into_iter().flatten();
        let Some(arms) = arms.map(|arm| Arm::new(arm, schemas)).collect::<Option<Vec<Arm>>>() else {
            continue;
        };
        let Some(Arm { member, .. }) = arms.first() else { continue };
        let mapping: Map<String, Value> =
            arms.iter().map(|arm| (arm.kind.clone(), json!(format!("{SCHEMAS}{}", arm.schema)))).collect();
        let plain: Vec<Value> =
            arms.iter().map(|arm| json!({"$ref": format!("{SCHEMAS}{}", arm.schema)})).collect();
        let whole = &mut schemas[&name];
        whole["oneOf"] = json!(plain);
        // For validators that only look at the discriminator.
        whole["type"] = json!("object");
        whole["discriminator"] = json!({"propertyName": member, "mapping": mapping});
        for Arm { schema, member, kind } in arms {
            let schema = &mut schemas[&schema];
            schema["properties"][&member] =
                json!({"type": "string", "const": kind, "description": format!("Always `{kind}`.")});
            match schema["required"].as_array_mut() {
                Some(required) => required.push(json!(member)),
                None => schema["required"] = json!([member]),
            }
        }
    }
}

/// One of several schemas, told apart by a member with a constant value.
struct Arm {
    schema: String,
    member: String,
    kind: String,
}

impl Arm {
    fn new(arm: &Value, schemas: &Map<String, Value>) -> Option<Self> {
        let reference = arm["$ref"].as_str().or(arm["allOf"][0]["$ref"].as_str())?;
        let schema = reference.strip_prefix(SCHEMAS)?;
        let members = [&arm["allOf"][1], schemas.get(schema)?];
        let mut members = members.into_iter().flat_map(|of| of["properties"].as_object()).flatten();
        members.find_map(|(member, value)| {
            let values = value["enum"].as_array().or(value["allOf"][0]["enum"].as_array())?;
            let [Value::String(kind)] = values.as_slice() else { return None };
            Some(Self { schema: schema.to_owned(), member: member.clone(), kind: kind.clone() })
        })
    }
}

/// Marks the response members that are always sent as required, including nullable ones. Requests take no
/// undescribed members, and may omit nullable ones.
fn always_sent(schema: &mut Value) {
    items_mut(schema, "allOf").for_each(always_sent);
    let Some(members) = schema["properties"].as_object() else { return };
    if schema["additionalProperties"] == false {
        return;
    }
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    let is_sent = |name: &&String| required.iter().any(|one| one == *name) || may_be_null(&members[*name]);
    let sent: Vec<&String> = members.keys().filter(is_sent).collect();
    if !sent.is_empty() {
        schema["required"] = json!(sent);
    }
}

fn may_be_null(schema: &Value) -> bool {
    let is_null = |name: &Value| name == "null";
    let arms = schema["oneOf"].as_array().into_iter().flatten();
    schema["type"].as_array().is_some_and(|types| types.iter().any(is_null))
        || arms.into_iter().any(|arm| is_null(&arm["type"]))
}

/// Inlines plain schemas, and moves the description of a nullable member to the member, where generators look
/// for it.
fn settle(value: &mut Value, plain: &Map<String, Value>) {
    if may_be_null(value) {
        let described = items_mut(value, "oneOf").find(|arm| arm["$ref"].is_string());
        let description = described.and_then(Value::as_object_mut).and_then(|arm| arm.remove("description"));
        if let Some(description) = description {
            value["description"] = description;
        }
    }
    for (_, member) in value.as_object_mut().into_iter().flatten() {
        settle(member, plain);
    }
    value.as_array_mut().into_iter().flatten().for_each(|item| settle(item, plain));
    let name = value["$ref"].as_str().and_then(|reference| reference.strip_prefix(SCHEMAS));
    if let Some(of) = name.and_then(|name| plain.get(name)).cloned() {
        add(value, of);
    }
    // A plain value or null.
    let arms = value["oneOf"].as_array().map_or(&[][..], Vec::as_slice);
    if let [one, null] = arms
        && one["type"].is_string()
        && null["type"] == "null"
    {
        let mut one = one.clone();
        one["type"] = json!([one["type"], "null"]);
        add(value, one);
    }
}

/// Replaces a place by a schema, but keeps the description of the place.
fn add(place: &mut Value, schema: Value) {
    let description = place["description"].take();
    *place = schema;
    if !description.is_null() {
        place["description"] = description;
    }
}

/// Returns the items of a list member, or none if it is missing.
pub(super) fn items_mut<'a>(value: &'a mut Value, member: &str) -> impl Iterator<Item = &'a mut Value> {
    value.get_mut(member).and_then(Value::as_array_mut).into_iter().flatten()
}
