import { voicesPlaceSchema } from "../../../protocol/voice.ts";
import type { Voice, VoicesPage, VoicesPlace, VoicesQuery } from "../../../protocol/voice.ts";
import { Fault } from "../../fault.ts";

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** A voice's place in an order: the value it is sorted by, then its id. No two voices have the same place. */
type Place = [value: string, voiceId: string];

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function compare([left, leftId]: Place, [right, rightId]: Place, sort: VoicesQuery["sort"]): number {
  const byValue = sort === "name" ? collator.compare(left, right) : compareTexts(left, right);
  return byValue || compareTexts(leftId, rightId);
}

function tokenOf(place: VoicesPlace): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function badToken(): Fault {
  return Fault.invalid("invalid", "This is not a page token of this listing.", "next_page_token");
}

/** The place in a token. The next page begins after it, so inserts between pages do not shift anything. */
function placeOf(token: string, { sort, sort_direction }: VoicesQuery): Place {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(token, "base64url").toString());
  } catch {
    throw badToken();
  }
  const place = voicesPlaceSchema.safeParse(value);
  if (!place.success) throw badToken();
  const [tokenSort, tokenDirection, sortValue, voiceId] = place.data;
  if (tokenSort !== sort || tokenDirection !== sort_direction) throw badToken();
  return [sortValue, voiceId];
}

/** The identifiers of a filter, whether comma-separated or repeated; null without a filter. */
function wantedIds(texts: readonly string[] | undefined): ReadonlySet<string> | null {
  if (texts === undefined) return null;
  const ids = texts.flatMap((text) => text.split(",")).map((id) => id.trim());
  return new Set(ids.filter((id) => id !== ""));
}

/** One page of the voices, by the query's filters, order and place. Throws a Fault for an invalid token. */
export function voicesPage(all: readonly Voice[], query: VoicesQuery): VoicesPage {
  const { sort, sort_direction, page_size, search } = query;
  const sign = sort_direction === "asc" ? 1 : -1;
  const place = (voice: Voice): Place => [voice[sort], voice.voice_id];
  const after = query.next_page_token === undefined ? null : placeOf(query.next_page_token, query);
  const wanted = wantedIds(query.voice_ids);
  const found = all
    .filter(({ voice_id }) => wanted?.has(voice_id) ?? true)
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .sort((left, right) => sign * compare(place(left), place(right), sort));
  const rest = after ? found.filter((voice) => sign * compare(place(voice), after, sort) > 0) : found;
  const voices = rest.slice(0, page_size);
  const last = voices.at(-1);
  const hasMore = rest.length > voices.length;
  return {
    voices,
    has_more: hasMore,
    next_page_token: hasMore && last ? tokenOf([sort, sort_direction, ...place(last)]) : null,
    ...(query.include_total_count && { total_count: found.length }),
  };
}
