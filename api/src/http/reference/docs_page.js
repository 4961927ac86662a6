// Starts Swagger UI on the document of the service.

// Shows a closed lock if a secret is needed and none was entered. Swagger UI does the opposite.
const locks = () => {
  const turned = (Original, system) => (props) =>
    system.React.createElement(Original, { ...props, isAuthorized: !props.isAuthorized });
  return { wrapComponents: { authorizeBtn: turned, authorizeOperationBtn: turned } };
};

// Code is the same in all languages. Swagger UI adds it when a section is opened.
const CODE = "#swagger-ui :is(code, pre, textarea, input, select, .opblock-summary-path, .parameter__name, .prop-name, .microlight)";
new MutationObserver(() => {
  for (const code of document.querySelectorAll(`${CODE}:not([translate])`)) code.setAttribute("translate", "no");
}).observe(document, { childList: true, subtree: true });

window.addEventListener("load", () => {
  window.ui = SwaggerUIBundle({
    dom_id: "#swagger-ui",
    url: "../openapi.json",
    deepLinking: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    layout: "StandaloneLayout",
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [locks],
  });
});
