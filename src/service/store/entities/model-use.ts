import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

/** What a language model has used in a day, for one context and price. */
export interface ModelUse {
  organizationId: string;
  /** Null: sessions without a context. */
  contextUuid: string | null;
  /** When the day began in the server's time zone. */
  dayMs: number;
  /** The id of the LLM type. */
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** In millionths of the currency; 0 where the model has no price. */
  costMicros: number;
  /** ISO 4217; empty where the model has no price. */
  currency: string;
}

/** Whose use is meant: all of an organization, or that of one context. */
export interface ModelUseScope {
  organizationId: string;
  contextUuid?: string | undefined;
}

/** What language models have used, by day. */
export interface ModelUseStore {
  /** Adds to the use of a day. */
  add(use: ModelUse): Promise<void>;
  /** The use since the beginning of a day, added up by model and currency. */
  since(
    scope: ModelUseScope,
    dayMs: number,
  ): Promise<Omit<ModelUse, "organizationId" | "contextUuid" | "dayMs">[]>;
}

/** What language models have used, in SQL. */
export function modelUseRows(database: Kysely<Tables>): ModelUseStore {
  return {
    async add({
      organizationId,
      contextUuid,
      dayMs,
      model,
      inputTokens,
      outputTokens,
      costMicros,
      currency,
    }) {
      await database
        .insertInto("model_use")
        .values({
          organization_id: organizationId,
          context_uuid: contextUuid ?? "",
          day_ms: dayMs,
          model,
          currency,
          input_tokens: inputTokens,
          output_tokens: outputTokens,
          cost_micros: costMicros,
        })
        .onConflict((conflict) =>
          conflict
            .columns(["organization_id", "context_uuid", "day_ms", "model", "currency"])
            .doUpdateSet((set) => ({
              input_tokens: set("model_use.input_tokens", "+", inputTokens),
              output_tokens: set("model_use.output_tokens", "+", outputTokens),
              cost_micros: set("model_use.cost_micros", "+", costMicros),
            })),
        )
        .execute();
    },
    async since({ organizationId, contextUuid }, dayMs) {
      let query = database
        .selectFrom("model_use")
        .select(({ fn }) => [
          "model",
          "currency",
          fn.sum<number | string>("input_tokens").as("input"),
          fn.sum<number | string>("output_tokens").as("output"),
          fn.sum<number | string>("cost_micros").as("cost"),
        ])
        .where("organization_id", "=", organizationId)
        .where("day_ms", ">=", dayMs);
      if (contextUuid !== undefined) query = query.where("context_uuid", "=", contextUuid);
      const rows = await query.groupBy(["model", "currency"]).orderBy("model").execute();
      return rows.map(({ model, currency, input, output, cost }) => ({
        model,
        currency,
        inputTokens: Number(input),
        outputTokens: Number(output),
        costMicros: Number(cost),
      }));
    },
  };
}
