import type { Handler } from "hono";
import type { RelayAssets } from "../relay/relay-deps.ts";

/** The demo page loads only files of this server and nothing inline, like any well-secured page. */
const policy = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Serves the built demo page. */
export function demoPage(assets: RelayAssets): Handler {
  return async (context) => {
    const page = await assets.read("index.html");
    if (!page) return context.text("The demo page is not built. Run npm run build.", 503);
    return context.body(page.body, 200, {
      "Content-Type": page.contentType,
      "Content-Security-Policy": policy,
      "Cache-Control": "no-cache",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "strict-origin-when-cross-origin",
    });
  };
}
