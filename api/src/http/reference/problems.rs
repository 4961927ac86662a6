//! The problem codes, for people and for programs.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::request;
use crate::http::response::refusals::{NoSuchForm, NoSuchPage, Nothing, Refusals};
use crate::http::response::reply::Reply;
use crate::problem::{Code, Problem};

/// The problem codes.
#[derive(Serialize, ToSchema)]
pub struct ProblemList {
    /// Every problem code.
    #[schema(max_items = 1000)]
    problems: Vec<ProblemPage>,
}

/// A problem code with its explanation.
#[derive(Serialize, ToSchema)]
pub struct ProblemPage {
    /// The code.
    code: Code,
    /// The HTTP status of problems with this code.
    #[schema(minimum = 400, maximum = 599, example = 422)]
    status: u16,
    /// A short title for people.
    #[schema(max_length = 4096)]
    title: &'static str,
    /// The meaning of the code.
    #[schema(max_length = 4096)]
    meaning: &'static str,
    /// A way to solve the problem.
    #[schema(max_length = 4096)]
    remedy: &'static str,
}

const JSON: &str = "application/json";
const HTML: &str = "text/html";

/// List the problem codes
///
/// Lists every problem code with its meaning and remedy.
#[utoipa::path(
    tag = "reference",
    responses((status = 200, description = "Every problem code", body = ProblemList), Refusals<Nothing>),
)]
#[get("/v1/problems")]
pub async fn list_problems(req: HttpRequest) -> HttpResponse {
    let problems = Code::ALL.iter().copied().map(ProblemPage::new).collect();
    Reply::about_service(&req).ok(&ProblemList { problems })
}

/// Get a problem code
///
/// Explains the code as JSON, or as a web page if `Accept` prefers `text/html`.
#[utoipa::path(
    tag = "reference",
    params(("code" = String, Path, pattern = "^[a-z_]+$", max_length = 64, description = "A problem code", example = "illegal_move")),
    responses(
        (status = 200, description = "The meaning of the code and its remedy", content((ProblemPage = "application/json"), (String = "text/html"))),
        Refusals<(NoSuchPage, NoSuchForm)>,
    ),
)]
#[get("/v1/problems/{code}")]
pub async fn get_problem(req: HttpRequest, code: web::Path<String>) -> Result<HttpResponse, Problem> {
    let code = Code::ALL
        .iter()
        .copied()
        .find(|known| known.as_str() == *code)
        .ok_or_else(|| Problem::new(Code::RouteNotFound, "there is no problem with this code"))?;
    let page = ProblemPage::new(code);
    let reply = Reply::about_service(&req);
    if request::accepted(&req, &[JSON, HTML])? == HTML {
        return Ok(reply.finish("text/html; charset=utf-8", page.html()).send(&req, StatusCode::OK));
    }
    Ok(reply.ok(&page))
}

impl ProblemPage {
    fn new(code: Code) -> Self {
        Self {
            code,
            status: code.status().as_u16(),
            title: code.title(),
            meaning: code.meaning(),
            remedy: code.remedy(),
        }
    }

    /// Returns the page as HTML. The texts are constants of this crate, so only `&` and `<` need escaping.
    fn html(&self) -> String {
        let text = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width\">\n<title>{code}</title>\n<style>body{{font:1.1rem/1.5 \
             system-ui;max-width:38rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}}</style>\n\
             <p><code>{code}</code> ({status})\n<h1>{title}</h1>\n<p>{meaning}\n<p>{remedy}\n</html>\n",
            code = self.code.as_str(),
            status = self.status,
            title = text(self.title),
            meaning = text(self.meaning),
            remedy = text(self.remedy),
        )
    }
}
