// Draws the diagrams of the documents, which mdBook leaves as code.
for (const code of document.querySelectorAll("code.language-mermaid")) {
  const diagram = document.createElement("pre");
  diagram.className = "mermaid";
  diagram.textContent = code.textContent;
  code.closest("pre").replaceWith(diagram);
}
mermaid.initialize({ theme: document.documentElement.classList.contains("light") ? "default" : "neutral" });
