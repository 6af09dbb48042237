import type { Hono } from "hono";
import { voicesAnswerSchema, voicesQuerySchema } from "../../protocol/voice.ts";
import type { Voice } from "../../protocol/voice.ts";
import type { ReadableCatalogue } from "../available-catalogue.ts";
import { voicesKeyHeader } from "./api-key-check.ts";
import { operation } from "./operation.ts";
import { route } from "./routing.ts";
import { voicesPage } from "./voices-page.ts";
import { voicesPath } from "./visit.ts";

/** The voices whose TTS type, where their row's settings name one (`tts_type`), has an engine. */
async function audibleVoices(catalogue: ReadableCatalogue, organizationId: string): Promise<Voice[]> {
  const types = new Set((await catalogue.rows("tts_type", organizationId)).map(({ name }) => name));
  const rows = await catalogue.rows("voice", organizationId);
  return rows
    .filter(({ engine }) => typeof engine?.["tts_type"] !== "string" || types.has(engine["tts_type"]))
    .map(({ body }) => body);
}

/** The speech voices listing (interface specification, Speech voices; wire conventions, Voices). */
export function voiceRoutes(app: Hono, catalogue: ReadableCatalogue): void {
  route(app, voicesPath, {
    GET: operation(
      {
        id: "listVoices",
        tag: "Speech",
        summary: "List voices by pages",
        access: "voices",
        query: {
          schema: voicesQuerySchema,
          form: { numbers: ["page_size"], booleans: ["include_total_count"], lists: ["voice_ids"] },
        },
        answer: {
          status: 200,
          description: "An array of one page; with the header xi-api-key the page itself",
          schema: voicesAnswerSchema,
        },
      },
      async ({ context, caller, query }) => {
        const page = voicesPage(await audibleVoices(catalogue, caller.organizationId), query);
        return context.req.header(voicesKeyHeader) === undefined ? [page] : page;
      },
    ),
  });
}
