//! A real browser, cut off from the internet, which is told what to do by the Chrome DevTools Protocol over pipes.

use std::cell::{Cell, RefCell};
use std::env;
use std::io::{self, BufRead as _, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The browser reads commands from descriptor 3 and tells what happens on 4: here, these are its standard input and output.
const PIPED: &str = r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;

/// How long a page may take until something is true, in milliseconds.
const PATIENCE: u32 = 120_000;

/// A browser without a window. Dropping it ends it.
pub(crate) struct Browser {
    process: Child,
    commands: RefCell<ChildStdin>,
    told: RefCell<BufReader<ChildStdout>>,
    /// What happened in pages, and nobody has asked for yet.
    events: RefCell<Vec<Value>>,
    last: Cell<u64>,
    _profile: TempDir,
}

/// A page in a browser.
pub(crate) struct Page<'a> {
    browser: &'a Browser,
    session: String,
}

impl Browser {
    /// Starts a browser; none where there is none, which CI does not allow.
    pub(crate) fn start() -> Option<Self> {
        let runs = |name: &&str| {
            Command::new(name).arg("--version").output().is_ok_and(|told| told.status.success())
        };
        let Some(program) = BROWSERS.into_iter().find(runs) else {
            assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "CI needs a browser: run scripts/test");
            // Straight to the stream: libtest does not hold this back.
            let mut stream = io::stderr();
            writeln!(stream, "SKIPPED: no browser ({})", BROWSERS.join(", ")).unwrap();
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let mut process = Command::new("sh")
            .args(["-c", PIPED, "sh", program, "--remote-debugging-pipe"])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .arg("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let commands = RefCell::new(process.stdin.take().unwrap());
        let told = RefCell::new(BufReader::new(process.stdout.take().unwrap()));
        let (events, last) = (RefCell::default(), Cell::default());
        Some(Self { process, commands, told, events, last, _profile: profile })
    }

    /// Opens a page.
    pub(crate) fn open(&self, url: &str) -> Page<'_> {
        let target = self.call(None, "Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = self.call(None, "Target.attachToTarget", attach);
        let page = Page { browser: self, session: attached["sessionId"].as_str().unwrap().to_owned() };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.go(url);
        page
    }

    /// Sends a command, and returns its result.
    fn call(&self, session: Option<&str>, method: &str, parameters: Value) -> Value {
        let id = self.last.get() + 1;
        self.last.set(id);
        let mut command = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = session {
            command["sessionId"] = json!(session);
        }
        let mut commands = self.commands.borrow_mut();
        commands.write_all(format!("{command}\0").as_bytes()).unwrap();
        commands.flush().unwrap();
        drop(commands);
        loop {
            let message = self.next();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.borrow_mut().push(message);
        }
    }

    fn next(&self) -> Value {
        let mut message = Vec::new();
        self.told.borrow_mut().read_until(0, &mut message).unwrap();
        assert_eq!(message.pop(), Some(0), "the browser has ended");
        serde_json::from_slice(&message).unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Page<'_> {
    fn call(&self, method: &str, parameters: Value) -> Value {
        self.browser.call(Some(&self.session), method, parameters)
    }

    /// Goes to another address, and waits until it is loaded.
    pub(crate) fn go(&self, url: &str) {
        let went = self.call("Page.navigate", json!({"url": url}));
        assert!(went["errorText"].is_null(), "{url}: {went}");
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /// The value of an expression of JavaScript; of what it promises, if it is a promise.
    pub(crate) fn evaluate(&self, expression: &str) -> Value {
        let wanted = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let told = self.call("Runtime.evaluate", wanted);
        assert!(told["exceptionDetails"].is_null(), "{expression}: {}", told["exceptionDetails"]);
        told["result"]["value"].clone()
    }

    /// Waits until an expression of JavaScript is true.
    pub(crate) fn until(&self, condition: &str) {
        let expression = format!(
            "new Promise((done, fail) => {{
                const end = Date.now() + {PATIENCE};
                const look = () => {{
                    if ({condition}) done(true);
                    else if (Date.now() > end) fail(new Error('never true'));
                    else setTimeout(look, 10);
                }};
                look();
            }})"
        );
        self.evaluate(&expression);
    }
}
