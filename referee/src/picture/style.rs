//! The colours of pictures on light and dark pages. Rugs and pieces look the same on both.

/// A class with its properties on a light page and on a dark one.
pub(super) const CLASSES: [(&str, &str, &str); 12] = [
    ("card", "fill:#fdf9f0;stroke:#d9cba8", "fill:#25211b;stroke:#4a4233"),
    ("ink", "fill:#2e271d", "fill:#f1e8d6"),
    ("faint", "fill:#6b5f47", "fill:#b5a788"),
    ("ground", "fill:#cbb587", "fill:#16130f"),
    ("tile", "fill:#f2e6c9", "fill:#5f523d"),
    ("edge", "stroke:#6b5632", "stroke:#8d7a58"),
    ("turn", "fill:#efe2c0", "fill:#3b3427"),
    ("last", "stroke:#2e271d", "stroke:#f1e8d6"),
    ("loop", "stroke:#8f7b4c", "stroke:#9a8862"),
    ("legal", "fill:#075c3f;stroke:#fff", "fill:#4fd3a0;stroke:#10261d"),
    ("legal-card", "stroke:#075c3f", "stroke:#4fd3a0"),
    ("chip", "fill:#6e6e6e", "fill:#b8b8b8"),
];

/// Returns the stylesheet of all pictures. Every picture contains it. A page that embeds pictures can serve
/// it once and remove it from them.
///
/// The root of a picture has the class `assam`. A second class `light` or `dark` sets the colours. Without
/// either, the picture follows the reader's preference for the page.
pub fn style() -> String {
    let mut light = String::new();
    let (mut preferred, mut dark) = (String::new(), String::new());
    for (class, on_light, on_dark) in CLASSES {
        light.push_str(&format!(".assam .{class}{{{on_light}}}"));
        preferred.push_str(&format!(".assam:not(.light) .{class}{{{on_dark}}}"));
        dark.push_str(&format!(".assam.dark .{class}{{{on_dark}}}"));
    }
    format!("{light}\n@media(prefers-color-scheme:dark){{{preferred}}}\n{dark}")
}
