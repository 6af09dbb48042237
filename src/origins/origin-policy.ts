import type { EmbedContext } from "../protocol/settings/embed-context.ts";

const localhostPattern = /^(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\*$/i;

/** The origin as browsers send it (lower case, without a default port), or null if the text is not an origin. */
export function normalizedOrigin(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.origin;
}

/** Whether an allow-list entry matches the origin: exactly, or any port of this machine (`http://localhost:*`). */
function admits(entry: string, origin: string): boolean {
  const machine = localhostPattern.exec(entry)?.[1]?.toLowerCase();
  if (machine) return origin === machine || origin.startsWith(`${machine}:`);
  return !entry.includes("*") && normalizedOrigin(entry) === origin;
}

/** Whether pages of `origin` may use the context: the relay's own pages always, others by `embed_config.allowed_origins`. */
export function isOriginAllowed(
  context: Pick<EmbedContext, "embed_config">,
  origin: string,
  ownOrigin: string,
): boolean {
  if (origin === ownOrigin) return true;
  return (context.embed_config.allowed_origins ?? []).some((entry) => admits(entry, origin));
}

/** The `frame-ancestors` of the context's viewer page: which origins may put it into an iframe. */
export function frameAncestors(context: Pick<EmbedContext, "embed_config">): string {
  const entries = (context.embed_config.allowed_origins ?? []).filter(
    (entry) => localhostPattern.test(entry) || (!entry.includes("*") && normalizedOrigin(entry) !== null),
  );
  return ["'self'", ...entries].join(" ");
}
