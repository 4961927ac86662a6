// Starts Swagger UI on the document of the service.

// A closed lock where a secret is needed and none was entered, an open one everywhere else: Swagger UI has it the other way round.
const locks = () => {
  const turned = (Original, system) => (props) =>
    system.React.createElement(Original, { ...props, isAuthorized: !props.isAuthorized });
  return { wrapComponents: { authorizeBtn: turned, authorizeOperationBtn: turned } };
};

window.addEventListener("load", () => {
  window.ui = SwaggerUIBundle({
    dom_id: "#swagger-ui",
    url: "/openapi.json",
    deepLinking: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    layout: "StandaloneLayout",
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [locks],
  });
});
