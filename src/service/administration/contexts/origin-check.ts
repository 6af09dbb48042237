import type { OriginReason, OriginVerdict } from "../../../protocol/console/origin-check.ts";
import { isOriginAllowed, normalizedOrigin } from "../../../origins/origin-policy.ts";

const details: Readonly<Record<OriginReason, (origin: string, entry: string) => string>> = {
  listed: (origin) => `Yes. ${origin} is on the list.`,
  own: (origin) => `Yes. ${origin} is this server, whose own pages may always show the avatar.`,
  not_an_address: () => "This is not the address of a page. Paste it as the browser shows it, with https://.",
  nothing_listed: (origin) => `No. The list is empty; add ${origin}.`,
  other_scheme: (origin, entry) =>
    `No. This address begins with ${new URL(origin).protocol.slice(0, -1)}, the one on the list with ${new URL(entry).protocol.slice(0, -1)}. Browsers see them as two sites.`,
  other_port: (origin, entry) =>
    `No. ${entry} is on the list, and browsers see ${origin} as another site because of its port.`,
  with_www: (origin, entry) =>
    `No. ${entry} is on the list without www., and browsers see ${origin} as another site.`,
  without_www: (origin, entry) =>
    `No. ${entry} is on the list with www., and browsers see ${origin} as another site.`,
  other_part: (origin, entry) =>
    `No. ${entry} is on the list, and ${origin} is another part of that site. Add it too.`,
  not_listed: (origin) => `No. ${origin} is not on the list.`,
};

/** How an origin differs from an entry that people may confuse with it; null if they have nothing in common. */
function difference(origin: URL, entry: URL): OriginReason | null {
  const [host, known] = [origin.hostname, entry.hostname];
  if (host === known) return origin.protocol === entry.protocol ? "other_port" : "other_scheme";
  if (host === `www.${known}`) return "with_www";
  if (known === `www.${host}`) return "without_www";
  return host.endsWith(`.${known}`) || known.endsWith(`.${host}`) ? "other_part" : null;
}

/** An address as people type it. Without a scheme, https is assumed. */
function originOf(page: string): string | null {
  const text = page.trim();
  return normalizedOrigin(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
}

function reasonOf(
  origin: string,
  allowed: readonly string[],
): { reason: OriginReason; entry: string | null } {
  const near = allowed.flatMap((entry) => {
    const url = URL.canParse(entry) ? new URL(entry) : null;
    const reason = url && difference(new URL(origin), url);
    return reason === null ? [] : [{ reason, entry }];
  });
  // The smallest difference is the best explanation.
  const best = near.find(({ reason }) => reason !== "other_part") ?? near[0];
  return best ?? { reason: allowed.length === 0 ? "nothing_listed" : "not_listed", entry: null };
}

/** Whether pages of an address may show an avatar with these `allowed_origins`, and why not. */
export function originVerdict(page: string, allowed: readonly string[], ownOrigin: string): OriginVerdict {
  const origin = originOf(page);
  if (origin === null || !/\.|:\/\/localhost|\[/.test(origin))
    return {
      allowed: false,
      origin: null,
      reason: "not_an_address",
      entry: null,
      detail: details.not_an_address("", ""),
    };
  if (origin === ownOrigin)
    return { allowed: true, origin, reason: "own", entry: null, detail: details.own(origin, "") };
  const admitting = allowed.find((entry) =>
    isOriginAllowed({ embed_config: { allowed_origins: [entry] } }, origin, ownOrigin),
  );
  if (admitting !== undefined)
    return {
      allowed: true,
      origin,
      reason: "listed",
      entry: admitting,
      detail: details.listed(origin, admitting),
    };
  const { reason, entry } = reasonOf(origin, allowed);
  return { allowed: false, origin, reason, entry, detail: details[reason](origin, entry ?? "") };
}
