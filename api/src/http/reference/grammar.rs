//! The grammar of the notation, as text and as a web page.

use std::collections::HashMap;
use std::sync::LazyLock;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, web};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::http::request;
use crate::http::response::finished::Finished;
use crate::http::response::refusals::{NoSuchForm, NoSuchPage, Refusals};
use crate::problem::{Code, Problem};

const MARKDOWN: &str = "text/markdown";
const HTML: &str = "text/html";

/// The pages. The general one has no name.
const PAGES: [(&str, &str); 2] = [
    ("", include_str!("../../../../notation/GRAMMAR.md")),
    ("marrakesh", include_str!("../../../../notation/grammar/marrakesh.md")),
];

/// A page in both forms.
struct Page {
    text: Finished,
    html: Finished,
}

static MADE: LazyLock<HashMap<&str, Page>> =
    LazyLock::new(|| PAGES.iter().map(|(name, text)| (*name, Page::new(name, text))).collect());

/// Get the grammar of the notation
///
/// Returns the specification of MKN/1, as Markdown, or as a web page if `Accept` prefers `text/html`.
#[utoipa::path(
    tag = "reference",
    responses(
        (status = 200, description = "The grammar", content((String = "text/markdown"), (String = "text/html"))),
        Refusals<NoSuchForm>,
    ),
)]
#[get("/grammar")]
pub async fn get_grammar(req: HttpRequest) -> Result<HttpResponse, Problem> {
    page(&req, "")
}

/// Get the grammar of a game
///
/// Returns the specification of the notation for one game.
#[utoipa::path(
    tag = "reference",
    params(("page" = String, Path, pattern = "^[a-z_]+$", max_length = 64, description = "A game with a separate page", example = "marrakesh")),
    responses(
        (status = 200, description = "The grammar", content((String = "text/markdown"), (String = "text/html"))),
        Refusals<(NoSuchPage, NoSuchForm)>,
    ),
)]
#[get("/grammar/{page}")]
pub async fn get_grammar_of_game(req: HttpRequest, name: web::Path<String>) -> Result<HttpResponse, Problem> {
    page(&req, &name)
}

fn page(req: &HttpRequest, name: &str) -> Result<HttpResponse, Problem> {
    let page = MADE.get(name);
    let page = page.ok_or_else(|| Problem::new(Code::RouteNotFound, "there is no grammar with this name"))?;
    let form = if request::accepted(req, &[MARKDOWN, HTML])? == HTML { &page.html } else { &page.text };
    Ok(form.send(req, StatusCode::OK))
}

impl Page {
    fn new(name: &str, text: &str) -> Self {
        let root = if name.is_empty() { "" } else { "../" };
        let text =
            PAGES.iter().filter(|(name, _)| !name.is_empty()).fold(text.to_owned(), |text, (name, _)| {
                text.replace(&format!("](grammar/{name}.md"), &format!("](grammar/{name}"))
            });
        let text = text.replace("](../GRAMMAR.md", "](../grammar");
        let html = Finished::about_service("text/html; charset=utf-8", page_of(&text, root));
        Self { text: Finished::about_service("text/markdown; charset=utf-8", text), html }
    }
}

/// Returns a page as HTML. The service is at `root`. The texts are constants of this project, so HTML in them
/// is not escaped.
fn page_of(text: &str, root: &str) -> String {
    let mut events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    name_headings(&mut events);
    let is_here = |url: &str| ["grammar/", "../grammar", "#"].iter().any(|here| url.starts_with(here));
    // Other files of the project are not served, so links to them become text.
    let mut leads_away = false;
    events.retain(|event| {
        if let Event::Start(Tag::Link { dest_url, .. }) = event {
            leads_away = !is_here(dest_url);
            return !leads_away;
        }
        !(*event == Event::End(TagEnd::Link) && std::mem::take(&mut leads_away))
    });
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    // Words of the notation are the same in all languages.
    let body = body.replace("<code", "<code translate=\"no\"");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>MKN/1, the notation of Assam</title>\n<link rel=\"icon\" \
         type=\"image/svg+xml\" href=\"{root}pages/icon.svg\">\n<style>html{{color-scheme:light dark;overflow-wrap:break-word;\
         background:Canvas;color:CanvasText}}body{{font:1.05rem/1.5 system-ui;max-width:46rem;margin:3rem auto;padding:0 1rem}}pre{{white-space:pre-wrap}}\
         code,td,th{{overflow-wrap:anywhere}}td,th{{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem \
         0}}</style>\n<main>\n{body}</main>\n</html>\n"
    )
}

/// Gives every heading the anchor that code hosts give it, for links from other pages.
fn name_headings(events: &mut [Event<'_>]) {
    let mut heading = None;
    let mut name = String::new();
    for place in 0..events.len() {
        if let Event::Start(Tag::Heading { .. }) = &events[place] {
            (heading, name) = (Some(place), String::new());
        } else if let Event::Text(text) | Event::Code(text) = &events[place] {
            name.push_str(text);
        } else if let Event::End(TagEnd::Heading(_)) = &events[place]
            && let Some(Event::Start(Tag::Heading { id, .. })) = heading.and_then(|at| events.get_mut(at))
        {
            let is_left_out = |c: char| !c.is_alphanumeric() && c != ' ' && c != '-';
            let words = name.to_lowercase().replace(is_left_out, "");
            *id = Some(CowStr::from(words.replace(' ', "-")));
        }
    }
}
