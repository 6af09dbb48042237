/** Says which links visitors may follow: the address to open, or null for a link that is shown as text. */
export type LinkPolicy = (href: string) => string | null;

const schemes = ["http:", "https:", "mailto:", "tel:"];

function parsed(href: string): URL | null {
  try {
    const url = new URL(href);
    return schemes.includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

const isWeb = ({ protocol }: URL): boolean => protocol === "http:" || protocol === "https:";

function matchesHost(url: URL, entry: string): boolean {
  if (entry === "*") return true;
  const host = entry.toLowerCase();
  if (host.startsWith("*.")) return url.hostname.endsWith(host.slice(1));
  return url.host === host || url.hostname === host;
}

/** An address allows itself and what is below it: `https://a.example/help` also `/help/returns`, but not `/helpless`. */
function isBelow(url: URL, entry: URL): boolean {
  if (url.origin !== entry.origin) return false;
  const path = entry.pathname;
  return url.pathname === path || url.pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}

function matches(url: URL, entry: string): boolean {
  if (!/^[a-z]+:/i.test(entry) || /^[^:/]+:\d+$/.test(entry)) return isWeb(url) && matchesHost(url, entry);
  const allowed = parsed(entry);
  if (!allowed) return false;
  return isWeb(allowed) ? isBelow(url, allowed) : url.href.startsWith(allowed.href);
}

/**
 * The owner's rule for links (`ui.links_allowed`). An entry is a host (`shop.example`, `*.shop.example`, `*`), an address
 * with everything below it (`https://shop.example/help`), or `mailto:`, `tel:`, each alone or with who is meant. Without a
 * list, links to the page's own origin are allowed.
 */
export function linkPolicy(allowed: readonly string[] | undefined, pageOrigin: string): LinkPolicy {
  const entries = allowed ?? [pageOrigin];
  return (href) => {
    const url = parsed(href);
    // A name in front of the host only looks like an address: https://shop.example@elsewhere.example/.
    if (!url || url.username || url.password) return null;
    return entries.some((entry) => matches(url, entry)) ? url.href : null;
  };
}
