//! A real browser, cut off from the internet and controlled through the Chrome DevTools Protocol over pipes.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::env;
use std::io::{self, BufRead as _, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use tempfile::TempDir;

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The browser reads commands from descriptor 3 and writes events to 4, here its standard input and output.
const PIPED: &str = r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;

/// Timeout for a condition on a page, in milliseconds.
const PATIENCE: u32 = 120_000;

/// A headless browser that ends when dropped.
pub(crate) struct Browser {
    process: Child,
    commands: RefCell<ChildStdin>,
    told: RefCell<BufReader<ChildStdout>>,
    /// Events in pages that were not read yet.
    events: RefCell<Vec<Value>>,
    /// Requests of holding pages that wait for their release.
    held: RefCell<Vec<Value>>,
    /// Replacements for the service's responses, by address.
    replaced: RefCell<HashMap<String, String>>,
    last: Cell<u64>,
    _profile: TempDir,
}

/// A page in a browser.
pub(crate) struct Page<'a> {
    browser: &'a Browser,
    session: String,
    target: String,
}

impl Browser {
    /// Starts a browser. Returns `None` if none is installed, which CI does not allow.
    pub(crate) fn start() -> Option<Self> {
        let runs = |name: &&str| {
            Command::new(name).arg("--version").output().is_ok_and(|told| told.status.success())
        };
        let Some(program) = BROWSERS.into_iter().find(runs) else {
            assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "CI needs a browser: run scripts/test");
            // Straight to the stream, as libtest does not hold this back.
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
        let (events, held, replaced) = (RefCell::default(), RefCell::default(), RefCell::default());
        Some(Self {
            process,
            commands,
            told,
            events,
            held,
            replaced,
            last: Cell::default(),
            _profile: profile,
        })
    }

    /// Opens a page.
    pub(crate) fn open(&self, url: &str) -> Page<'_> {
        let page = self.blank(json!({"url": "about:blank"}));
        page.go(url);
        page
    }

    /// Opens a page that shares nothing with others, as in another user's browser, on a screen of this width
    /// and height.
    pub(crate) fn open_apart(&self, url: &str, (width, height): (u32, u32)) -> Page<'_> {
        let context = self.call(None, "Target.createBrowserContext", json!({}));
        let context = &context["browserContextId"];
        let page = self.blank(json!({"url": "about:blank", "browserContextId": context}));
        let is_phone = width < 600;
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone});
        page.call("Emulation.setDeviceMetricsOverride", size);
        page.call("Emulation.setTouchEmulationEnabled", json!({"enabled": is_phone}));
        page.go(url);
        page
    }

    /// Opens an empty page.
    fn blank(&self, target: Value) -> Page<'_> {
        let target = self.call(None, "Target.createTarget", target);
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = self.call(None, "Target.attachToTarget", attach);
        let [session, target] =
            [&attached["sessionId"], &target["targetId"]].map(|id| id.as_str().unwrap().to_owned());
        let page = Page { browser: self, session, target };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page
    }

    /// Sends a command and returns its result.
    fn call(&self, session: Option<&str>, method: &str, parameters: Value) -> Value {
        self.try_call(session, method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a command and returns its result or the browser's error.
    fn try_call(&self, session: Option<&str>, method: &str, parameters: Value) -> Result<Value, Value> {
        let id = self.send(session, method, &parameters);
        loop {
            let message = self.next();
            if message["id"] == id {
                let error = &message["error"];
                return if error.is_null() { Ok(message["result"].clone()) } else { Err(error.clone()) };
            }
            if message["method"] == "Fetch.requestPaused" {
                self.paused(message);
            } else if message["id"].is_null() {
                self.events.borrow_mut().push(message);
            }
        }
    }

    /// Sends a command and returns its number.
    fn send(&self, session: Option<&str>, method: &str, parameters: &Value) -> u64 {
        let id = self.last.get() + 1;
        self.last.set(id);
        let mut command = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = session {
            command["sessionId"] = json!(session);
        }
        let mut commands = self.commands.borrow_mut();
        commands.write_all(format!("{command}\0").as_bytes()).unwrap();
        commands.flush().unwrap();
        id
    }

    /// Answers a request in place of the service, or holds it.
    fn paused(&self, request: Value) {
        let told = &request["params"];
        let address = told["request"]["url"].as_str().unwrap();
        match self.replaced.borrow().get(address) {
            Some(body) => {
                let headers = json!([{"name": "Content-Type", "value": "text/javascript; charset=utf-8"}]);
                let body = BASE64.encode(body);
                let answer = json!({"requestId": told["requestId"], "responseCode": 200, "responseHeaders": headers, "body": body});
                self.send(request["sessionId"].as_str(), "Fetch.fulfillRequest", &answer);
            }
            None => self.held.borrow_mut().push(request),
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

    /// Sends a protocol command to this page and returns its result.
    pub(crate) fn command(&self, method: &str, parameters: Value) -> Value {
        self.call(method, parameters)
    }

    /// Closes this page.
    pub(crate) fn close(self) {
        self.browser.call(None, "Target.closeTarget", json!({"targetId": self.target}));
    }

    /// Kills the process of this page, which never answers again.
    pub(crate) fn crash(self) {
        self.browser.send(Some(&self.session), "Page.crash", &json!({}));
    }

    /// Goes to another address and waits until it is loaded.
    pub(crate) fn go(&self, url: &str) {
        let went = self.call("Page.navigate", json!({"url": url}));
        assert!(went["errorText"].is_null(), "{url}: {went}");
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /// Runs a script on every page that this one visits, before any other script.
    pub(crate) fn prepare(&self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": script}));
    }

    /// Replaces a script of the service at an address with another text.
    pub(crate) fn replace(&self, address: &str, text: &str) {
        self.browser.replaced.borrow_mut().insert(address.to_owned(), text.to_owned());
        self.call("Fetch.enable", json!({"patterns": [{"urlPattern": address}]}));
    }

    /// Holds every request of this page from now on, until its release.
    pub(crate) fn hold(&self) {
        self.call("Fetch.enable", json!({"patterns": [{"urlPattern": "*"}]}));
    }

    /// Returns the addresses of the held requests, in order.
    pub(crate) fn held(&self) -> Vec<String> {
        // Earlier events are read with the answer. The page itself may not answer while it waits.
        self.browser.call(None, "Browser.getVersion", json!({}));
        let held = self.browser.held.borrow();
        held.iter().map(|held| held["params"]["request"]["url"].as_str().unwrap().to_owned()).collect()
    }

    /// Releases all held requests.
    pub(crate) fn let_go(&self) {
        for request in self.browser.held.take() {
            let told = json!({"requestId": request["params"]["requestId"]});
            self.browser.send(request["sessionId"].as_str(), "Fetch.continueRequest", &told);
        }
    }

    /// Returns the value of a JavaScript expression, awaiting a promise.
    pub(crate) fn evaluate(&self, expression: &str) -> Value {
        self.try_evaluate(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The same, or the browser's error, for example if the page was left.
    fn try_evaluate(&self, expression: &str) -> Result<Value, Value> {
        let wanted = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let told = self.browser.try_call(Some(&self.session), "Runtime.evaluate", wanted)?;
        assert!(told["exceptionDetails"].is_null(), "{expression}: {}", told["exceptionDetails"]);
        Ok(told["result"]["value"].clone())
    }

    /// Waits until a JavaScript expression is true, also on a page that this one leads to.
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
        while self.try_evaluate(&expression).is_err() {}
    }

    /// Presses and releases the left mouse button at a point.
    pub(crate) fn click(&self, (x, y): (f64, f64)) {
        self.point_at((x, y));
        for (kind, buttons) in [("mousePressed", 1), ("mouseReleased", 0)] {
            let event =
                json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Points at a place with the mouse.
    pub(crate) fn point_at(&self, (x, y): (f64, f64)) {
        self.call("Input.dispatchMouseEvent", json!({"type": "mouseMoved", "x": x, "y": y}));
    }

    /// Shows this page, and every one it visits, in `light` or `dark` mode.
    pub(crate) fn prefer(&self, scheme: &str) {
        let feature = json!({"name": "prefers-color-scheme", "value": scheme});
        self.call("Emulation.setEmulatedMedia", json!({"features": [feature]}));
    }

    /// Taps a point with a finger.
    pub(crate) fn tap(&self, (x, y): (f64, f64)) {
        let touched = json!({"type": "touchStart", "touchPoints": [{"x": x, "y": y}]});
        self.call("Input.dispatchTouchEvent", touched);
        self.call("Input.dispatchTouchEvent", json!({"type": "touchEnd", "touchPoints": []}));
    }

    /// Types a text at the focus.
    pub(crate) fn write(&self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Presses and releases a key by name.
    pub(crate) fn press(&self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            " " => (32, " "),
            "Tab" => (9, ""),
            "Escape" => (27, ""),
            "End" => (35, ""),
            "Home" => (36, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            "p" => (80, "p"),
            _ => panic!("the tests know no key {key}"),
        };
        let kind = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        let pressed =
            json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text});
        self.call("Input.dispatchKeyEvent", pressed);
        let released = json!({"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", released);
    }

    /// Returns new errors in this page: on the console, with requests, and against its policy.
    pub(crate) fn troubles(&self) -> Vec<String> {
        // Earlier events are read with the answer.
        self.evaluate("true");
        let mut events = self.browser.events.borrow_mut();
        let (mine, others): (Vec<Value>, Vec<Value>) =
            events.drain(..).partition(|event| event["sessionId"] == self.session.as_str());
        *events = others;
        let is_trouble = |event: &Value| {
            let told = &event["params"];
            match event["method"].as_str() {
                Some("Runtime.consoleAPICalled" | "Runtime.exceptionThrown") => true,
                Some("Log.entryAdded") => told["entry"]["level"] != "verbose",
                Some("Network.loadingFailed") => told["canceled"] != true,
                Some("Network.responseReceived") => told["response"]["status"].as_u64() >= Some(400),
                _ => false,
            }
        };
        mine.iter().filter(|event| is_trouble(event)).map(Value::to_string).collect()
    }

    /// Returns all response bodies that the service sent to this page, as far as the browser still has them.
    pub(crate) fn received(&self) -> String {
        self.evaluate("true");
        let events = self.browser.events.borrow();
        let is_mine = |event: &&Value| event["sessionId"] == self.session.as_str();
        let requests: Vec<Value> = events
            .iter()
            .filter(is_mine)
            .filter(|event| event["method"] == "Network.loadingFinished")
            .map(|event| event["params"]["requestId"].clone())
            .collect();
        drop(events);
        let body = |id: &Value| {
            let wanted = json!({"requestId": id});
            let told = self.browser.try_call(Some(&self.session), "Network.getResponseBody", wanted);
            told.ok()?["body"].as_str().map(str::to_owned)
        };
        requests.iter().filter_map(body).collect()
    }
}
