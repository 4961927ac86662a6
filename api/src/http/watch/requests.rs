//! Requests counted by route, method and status.

use std::collections::HashMap;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::{Method, StatusCode};
use assam_store::counted::{Histogram, TIMES, Total};
use utoipa::openapi::OpenApi;

/// The methods that are counted separately.
pub const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", OTHER];
/// The statuses that are counted separately, the most frequent first.
const STATUSES: [u16; 23] = [
    201, 200, 304, 204, 404, 429, 503, 422, 409, 400, 401, 403, 405, 406, 408, 410, 412, 413, 415, 307, 500,
    502, 504,
];
/// The label of everything else.
const OTHER: &str = "other";

/// Counts of requests and responses.
pub struct RequestCounts {
    /// The templates of routes, and last one for requests without a route.
    routes: Vec<String>,
    /// The index of each handler's route.
    places: HashMap<String, usize>,
    /// The counts for each route and method.
    counted: Vec<Answered>,
}

/// The responses on one route to one method.
pub struct Answered {
    statuses: [Total; STATUSES.len() + 1],
    /// The times until a response began, in microseconds.
    pub times: Histogram,
}

impl RequestCounts {
    /// Counts requests for the operations of a document.
    pub fn new(document: &OpenApi) -> Self {
        let (mut routes, mut places) = (Vec::new(), HashMap::new());
        for (route, item) in &document.paths.paths {
            let operations = [&item.get, &item.post, &item.put, &item.patch, &item.delete];
            let names =
                operations.into_iter().flatten().filter_map(|operation| operation.operation_id.clone());
            // An operation's id is the name of its handler, and of the resource.
            places.extend(names.map(|name| (name, routes.len())));
            routes.push(route.clone());
        }
        routes.push(OTHER.to_owned());
        let answered = || Answered { statuses: Default::default(), times: Histogram::new(TIMES) };
        let counted = (0..routes.len() * METHODS.len()).map(|_| answered()).collect();
        Self { routes, places, counted }
    }

    /// Returns the index of a request's route.
    pub fn route(&self, req: &HttpRequest) -> usize {
        let place = req.match_name().and_then(|name| self.places.get(name));
        place.copied().unwrap_or(self.routes.len() - 1)
    }

    /// Returns the template of a route.
    pub fn template(&self, route: usize) -> &str {
        self.routes.get(route).map_or(OTHER, String::as_str)
    }

    /// Counts a response, with its time if that measures the service.
    pub fn count(&self, route: usize, method: usize, status: StatusCode, time: Option<Duration>) {
        if let Some(answered) = self.counted.get(route * METHODS.len() + method) {
            answered.of_status(status.as_u16()).add(1);
            if let Some(time) = time {
                answered.times.count_time(time);
            }
        }
    }

    /// Returns the counts, with route and method.
    pub fn answered(&self) -> impl Iterator<Item = (&str, &'static str, &Answered)> {
        let per_route = self.routes.iter().zip(self.counted.chunks(METHODS.len()));
        per_route.flat_map(|(route, counted)| {
            METHODS.into_iter().zip(counted).map(|(method, answered)| (route.as_str(), method, answered))
        })
    }
}

impl Answered {
    fn of_status(&self, status: u16) -> &Total {
        let place = STATUSES.iter().position(|known| *known == status).unwrap_or(STATUSES.len());
        &self.statuses[place]
    }

    /// Returns the nonzero counts by status.
    pub fn by_status(&self) -> impl Iterator<Item = (String, u64)> {
        let names = STATUSES.iter().map(u16::to_string).chain([OTHER.to_owned()]);
        names.zip(self.statuses.iter().map(Total::get)).filter(|(_, count)| *count > 0)
    }
}

/// Returns the index of a method.
pub fn method(of: &Method) -> usize {
    METHODS.iter().position(|known| *known == of.as_str()).unwrap_or(METHODS.len() - 1)
}
