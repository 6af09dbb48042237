import {
  type Voice,
  voicesAnswerSchema,
  type VoicesPage,
  type VoicesPlace,
  voicesPlaceSchema,
  type VoicesQuery,
  voicesQuerySchema,
} from "../../../protocol/speech/voice.ts";
import { Fault } from "../../faults/fault.ts";
import type { ReadableCatalogue } from "../../engines/available-catalogue.ts";
import { voicesKeyHeader, voicesPath } from "../middleware/authentication.ts";
import { requestHeader } from "../node-request.ts";
import { operation, type Operation } from "../operations/operation.ts";
import {
  recognitionAudioMaxBytes,
  sttRequestSchema,
  sttResponseSchema,
} from "../../../protocol/speech/recognition.ts";
import { readableFormats } from "../../audio/decode-audio.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { requireLiveSession } from "../body/live-session.ts";
import { bodyMaxBytes } from "../body/request-fields.ts";

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
function voicesPage(all: readonly Voice[], query: VoicesQuery): VoicesPage {
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
    // Also where the query wants none: clients of the third-party SDK cannot read a page without it.
    total_count: found.length,
  };
}

/** The voices that can be used: those whose TTS type (`tts_type` of their row's settings), if they name one, has an engine. */
async function availableVoices(catalogue: ReadableCatalogue, organizationId: string): Promise<Voice[]> {
  const types = new Set((await catalogue.rows("tts_type", organizationId)).map(({ name }) => name));
  const rows = await catalogue.rows("voice", organizationId);
  return rows
    .filter(({ engine }) => typeof engine?.["tts_type"] !== "string" || types.has(engine["tts_type"]))
    .map(({ body }) => body);
}

/** The speech voices listing (interface specification, Speech voices; wire conventions, Voices). */
export function voiceRoutes(catalogue: ReadableCatalogue): Operation[] {
  return [
    operation({
      method: "GET",
      path: voicesPath,
      id: "listVoices",
      tag: "Speech",
      summary: "List voices by pages",
      auth: "voices",
      query: {
        schema: voicesQuerySchema,
        form: { numbers: ["page_size"], booleans: ["include_total_count"], lists: ["voice_ids"] },
      },
      answer: {
        status: 200,
        description: "An array of one page; with the header xi-api-key the page itself",
        schema: voicesAnswerSchema,
      },
      async handler({ context, caller, query }) {
        const page = voicesPage(await availableVoices(catalogue, caller.organizationId), query);
        return requestHeader(context, voicesKeyHeader) === null ? [page] : page;
      },
    }),
  ];
}

/** Speech recognition of an uploaded file (interface specification, Session operations). */
export function sttRoutes(sessions: Sessions): Operation[] {
  return [
    operation({
      method: "POST",
      path: "/api/v1/session/:session/stt/",
      id: "recognise",
      tag: "Session operations",
      summary: "Recognise the speech of an audio file",
      auth: "session",
      body: {
        schema: sttRequestSchema,
        files: {
          audio: {
            description: `${readableFormats}, or another format that the engine supports`,
            maxBytes: recognitionAudioMaxBytes,
            required: true,
          },
        },
        maxBytes: recognitionAudioMaxBytes + bodyMaxBytes,
        beforeReading: requireLiveSession(sessions),
      },
      answer: { status: 200, description: "What was said", schema: sttResponseSchema },
      handler: ({ params, body: { language }, files, signal }) =>
        sessions.recognize(params.session, {
          bytes: files.get("audio") ?? new Uint8Array(),
          language: language || undefined,
          signal,
        }),
    }),
  ];
}
