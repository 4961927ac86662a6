//! The paths in the document.

use crate::harness::Service;

impl Service {
    /// Returns every path of the service's own document with its methods. `{id}` is this game. Everything
    /// else named by a path exists if the game has a ply 1.
    pub(crate) fn routes(&self, game: &str) -> Vec<(String, Vec<String>)> {
        let fill = |path: &str| {
            [
                ("{id}", game),
                ("{ply}", "1"),
                ("{seat}", "1"),
                ("{code}", "bad_json"),
                ("{name}", "marrakech"),
                ("{version}", "1"),
                ("{page}", "marrakesh"),
                ("{level}", "0"),
                ("{player}", "random"),
                ("{place}", "000.p/1"),
            ]
            .into_iter()
            .fold(path.to_owned(), |path, (name, value)| path.replace(name, value))
            // A stream that follows has no end.
            .replace("/events", "/events?follow=false")
        };
        self.wait_for_log_of(game);
        let document = self.stranger().get("/openapi.json").json();
        let paths = document["paths"].as_object().unwrap().iter();
        let routes: Vec<(String, Vec<String>)> = paths
            .map(|(path, item)| {
                let methods = item.as_object().unwrap().keys().map(|method| method.to_uppercase());
                (fill(path), methods.collect())
            })
            .collect();
        assert!(routes.len() > 15 && routes.iter().all(|(path, _)| !path.contains('{')), "{routes:?}");
        routes
    }

    /// Returns every readable path of the document, apart from the analysis of a game.
    pub(crate) fn readable(&self, game: &str) -> Vec<String> {
        let routes = self.routes(game).into_iter();
        routes
            .filter(|(_, methods)| methods.iter().any(|method| method == "GET"))
            .map(|(path, _)| path)
            // The players of a running game may not have it.
            .filter(|path| !path.ends_with("/analysis"))
            .collect()
    }
}
