/**
 * The API page: OpenAPI Explorer (https://github.com/Authress-Engineering/openapi-explorer) shows `/openapi.json`. Its script
 * comes from this server, like everything that the page loads. The page has no form that sends requests: API keys do not
 * belong in browsers.
 */
export const apiViewerPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>API reference</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <script type="module" src="viewer.js"></script>
  </head>
  <body>
    <openapi-explorer
      spec-url="../openapi.json"
      hide-console
      hide-authentication
      hide-server-selection
    ></openapi-explorer>
    <noscript>This page needs JavaScript. The same description for machines: <a href="../openapi.json">openapi.json</a>.</noscript>
  </body>
</html>
`;

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The viewer writes style attributes, which only this page allows.
  "style-src 'unsafe-inline'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The viewer's templates are Lit's.
  "trusted-types lit-html",
].join("; ");

/** What the page is sent with. */
export const apiViewerHeaders = {
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

/** The viewer's script. It is a module of its own, loaded at the first request. */
export async function readApiViewerScript(): Promise<string> {
  const { default: script } = await import("openapi-explorer/dist/browser/openapi-explorer.min.js?raw");
  return script;
}
