import * as z from "zod";
import type { LanguageModel } from "../../language/language-model.ts";
import { errorMessage } from "../../faults/error-message.ts";
import { LimitExceeded } from "../../faults/fault.ts";
import type { CatalogueRow, SessionRecord } from "../../store/store.ts";
import type { SessionDependencies } from "../session-dependencies.ts";

/** What counting the use of language models needs. */
export type ModelUseDependencies = Pick<SessionDependencies, "store" | "clock" | "log" | "languageModel">;

type UseOwner = Pick<SessionRecord, "organizationId" | "contextUuid">;

/** The id of the LLM type that only quotes documents. It comes with every installation. */
const quotingModel = "visavis-retrieval";

const micros = 1_000_000;

/** The price that the owner of a model has given, in the private settings of its row. */
const pricedSchema = z.object({
  price: z.object({ input: z.number(), output: z.number(), currency: z.string() }),
});

/** When the day of a time began in the server's time zone, and when the next one does. */
function dayOf(nowMs: number): { startMs: number; endMs: number } {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()] as const;
  return { startMs: new Date(year, month, day).getTime(), endMs: new Date(year, month, day + 1).getTime() };
}

/** A model whose use is counted for the owner of a session: its tokens, and their cost where it has a price. */
export function countedModel(
  { store, clock, log }: ModelUseDependencies,
  { organizationId, contextUuid }: UseOwner,
  { id, engine }: CatalogueRow<"llm_type">,
  model: LanguageModel,
): LanguageModel {
  const price = pricedSchema.safeParse(engine).data?.price;
  return {
    ...model,
    answer: (turn) =>
      model.answer({
        ...turn,
        onUse({ inputTokens, outputTokens }) {
          const use = {
            organizationId,
            contextUuid,
            dayMs: dayOf(clock.nowMs()).startMs,
            model: id,
            inputTokens,
            outputTokens,
            // A price is for a million tokens, so one token costs so many millionths.
            costMicros: price ? Math.round(inputTokens * price.input + outputTokens * price.output) : 0,
            currency: price?.currency ?? "",
          };
          store.modelUse.add(use).catch((error: unknown) => {
            log.warn("the use of a language model cannot be counted", { error: errorMessage(error) });
          });
        },
      }),
  };
}

/**
 * The model that answers where the day's cost is used up: one that only quotes documents, so that visitors can still ask. Null while
 * the cost is not used up. Throws LimitExceeded where the owner wants no answers then.
 */
export async function modelAtLimit(
  { store, clock, languageModel }: ModelUseDependencies,
  { organizationId, contextUuid }: UseOwner,
): Promise<LanguageModel | null> {
  if (contextUuid === null) return null;
  const context = await store.contexts.byUuid(organizationId, contextUuid);
  const { model_cost_per_day: limit = 0, at_model_limit: choice = "quote" } = context?.config.limits ?? {};
  if (limit === 0) return null;
  const { startMs, endMs } = dayOf(clock.nowMs());
  const uses = await store.modelUse.since({ organizationId, contextUuid }, startMs);
  const used = uses.reduce((sum, { costMicros }) => sum + costMicros, 0);
  if (used < limit * micros) return null;
  const row = choice === "quote" ? await store.catalogue.row("llm_type", organizationId, quotingModel) : null;
  const model = row && languageModel(row);
  if (!model) throw new LimitExceeded("of the language model's cost a day in this context", limit, endMs);
  return model;
}
