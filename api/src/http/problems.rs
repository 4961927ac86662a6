//! Problem pages: what each error code means and what to do about it, for people and for programs.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::reply::Reply;
use super::request;
use super::{PageProblems, StaticProblems};
use crate::problem::{Code, Problem};

/// Every problem code.
#[derive(Serialize, ToSchema)]
pub struct ProblemList {
    problems: Vec<ProblemPage>,
}

/// What an error code means.
#[derive(Serialize, ToSchema)]
pub struct ProblemPage {
    /// The code.
    code: Code,
    /// The HTTP status that it always has.
    #[schema(example = 422)]
    status: u16,
    /// A short name.
    title: &'static str,
    /// What it means.
    meaning: &'static str,
    /// What to do about it.
    remedy: &'static str,
}

const JSON: &str = "application/json";
const HTML: &str = "text/html";

/// List the problem codes
#[utoipa::path(
    tag = "reference",
    responses((status = 200, description = "Every code that a problem can have", body = ProblemList), StaticProblems),
)]
#[get("/v1/problems")]
pub async fn list_problems(req: HttpRequest) -> HttpResponse {
    let problems = Code::ALL.iter().copied().map(ProblemPage::of).collect();
    Reply::about_service(&req).ok(&ProblemList { problems })
}

/// Look up a problem code
///
/// As JSON, or as a page for people where `Accept` prefers `text/html`.
#[utoipa::path(
    tag = "reference",
    params(("code" = String, Path, description = "A code", example = "illegal_move")),
    responses(
        (status = 200, description = "What it means and what to do", content((ProblemPage = "application/json"), (String = "text/html"))),
        PageProblems,
    ),
)]
#[get("/v1/problems/{code}")]
pub async fn get_problem(req: HttpRequest, code: web::Path<String>) -> Result<HttpResponse, Problem> {
    let code = Code::ALL
        .iter()
        .copied()
        .find(|known| known.as_str() == *code)
        .ok_or_else(|| Problem::new(Code::RouteNotFound, "there is no problem of this code"))?;
    let page = ProblemPage::of(code);
    let reply = Reply::about_service(&req);
    if request::accepted(&req, &[JSON, HTML])? == HTML {
        return Ok(reply.send(StatusCode::OK, "text/html; charset=utf-8", page.html()));
    }
    Ok(reply.ok(&page))
}

impl ProblemPage {
    fn of(code: Code) -> Self {
        Self {
            code,
            status: code.status().as_u16(),
            title: code.title(),
            meaning: code.meaning(),
            remedy: code.remedy(),
        }
    }

    /// The texts are our own constants; the one character in them that HTML would take for itself is `<`.
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
