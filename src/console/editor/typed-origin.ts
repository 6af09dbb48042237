/** Hosts of one's own machine and network, which have no https as a rule. */
const nearby =
  /^(?:localhost|[\w-]+\.localhost|\[::1\]|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2})(?=[:/]|$)/i;

/** What somebody types as an origin: an address of the site is enough. */
export function originOf(text: string): string {
  const trimmed = text.trim();
  if (/:\*$/.test(trimmed)) return trimmed;
  const scheme = nearby.test(trimmed) ? "http" : "https";
  const address = /^https?:\/\//i.test(trimmed) ? trimmed : `${scheme}://${trimmed}`;
  return URL.canParse(address) && trimmed !== "" ? new URL(address).origin : trimmed;
}
