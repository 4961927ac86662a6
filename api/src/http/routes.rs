//! Every documented route.

use utoipa_actix_web::service_config::ServiceConfig;

use crate::http::games::{beacon, create, dice, game, lists, players, rematch, seats};
use crate::http::play::{analysis, moves, replay};
use crate::http::proofs::{proof, public_log, receipts};
use crate::http::records::{analysis as record_analysis, bulk, drawn, outcomes, validate};
use crate::http::reference::{grammar, openapi, problems, rulesets};
use crate::http::server::health;
use crate::http::{events, limits};

/// Registers every documented route.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        // Frequent routes come first, because the router tries patterns in order.
        .service(moves::submit_moves)
        // Before the game: `{id}` would match `events` too.
        .service(events::of_games::get_games_events)
        .service(game::get_game)
        // Before the state: `{ply}` would match `3.svg` too.
        .service(replay::get_picture)
        .service(replay::get_state)
        .service(replay::get_log)
        .service(replay::get_score)
        .service(seats::take_seat)
        .service(moves::get_legal_moves)
        .service(events::get_events)
        .service(create::create_game)
        .service(lists::list_games)
        .service(lists::list_own_games)
        .service(players::get_me)
        .service(players::get_player)
        .service(players::list_leaders)
        .service(dice::get_dice)
        .service(dice::get_dice_of_player)
        .service(game::remove_game)
        .service(seats::rename_seat)
        .service(seats::leave_seat)
        .service(seats::replace_secret)
        .service(beacon::deliver_beacon)
        .service(rematch::make_rematch)
        .service(moves::get_move)
        .service(events::feed::get_feed)
        .service(events::own::get_own_events)
        .service(bulk::states::get_states)
        .service(analysis::get_analysis)
        .service(proof::get_proof)
        .service(receipts::get_receipt)
        .service(receipts::get_seat_receipt)
        .service(receipts::list_keys)
        .service(public_log::get_inclusion)
        .service(public_log::get_checkpoint)
        // Before the tiles: `{level}` would match `entries` too.
        .service(public_log::get_entries)
        .service(public_log::get_tile)
        .service(public_log::list_cosignatures)
        .service(public_log::add_cosignature)
        .service(validate::validate)
        .service(record_analysis::analyse_record)
        .service(bulk::analyse::analyse_records)
        .service(outcomes::list_outcomes)
        .service(drawn::draw_record)
        .service(bulk::validate::validate_records)
        .service(bulk::import::import_records)
        .service(bulk::export::export_games)
        .service(bulk::export::count_exported_games)
        .service(validate::import_record)
        .service(rulesets::list_rulesets)
        .service(rulesets::get_ruleset)
        .service(problems::list_problems)
        .service(problems::get_problem)
        .service(limits::page::get_limits)
        .service(health::livez)
        .service(health::readyz)
        .service(grammar::get_grammar)
        .service(grammar::get_grammar_of_game)
        .service(openapi::get_openapi);
}
