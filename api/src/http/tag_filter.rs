//! Lists of games by the tags of their records.

use assam_record::game::PlayerId;

use crate::app::{Among, TagKey};
use crate::problem::{Code, Problem};

/// Returns the games among which a list looks that is of a player, or of games with some tags; each tag has its name.
///
/// # Errors
/// `bad_request` where they do not go together.
pub fn among(player: Option<PlayerId>, tags: &[(&str, &Option<String>)]) -> Result<Among, Problem> {
    let tags: Vec<(&str, &str)> =
        tags.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))).collect();
    let Some((name, _)) = tags.first() else {
        return Ok(player.map_or(Among::Public, Among::PublicOf));
    };
    let bad = |detail: &str| Problem::new(Code::BadRequest, detail).at_parameter(name);
    if player.is_some() {
        return Err(bad("a list is of a player or by tags, not both: leave one out"));
    }
    let sets = "tags go together as `event`, `event` and `round`, or `event`, `round` and `table`; `date` stands alone";
    TagKey::of(&tags).map(Among::Tagged).ok_or_else(|| bad(sets))
}
