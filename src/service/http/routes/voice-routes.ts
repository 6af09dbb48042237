import { voicesAnswerSchema, voicesQuerySchema } from "../../../protocol/voice.ts";
import type { Voice } from "../../../protocol/voice.ts";
import type { ReadableCatalogue } from "../../available-catalogue.ts";
import { voicesPage } from "../answers/voices-page.ts";
import { voicesKeyHeader } from "../middleware/api-key-check.ts";
import { voicesPath } from "../middleware/authentication.ts";
import { requestHeader } from "../node-request.ts";
import { operation } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";

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
