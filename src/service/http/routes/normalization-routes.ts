import { normalizeRequestSchema, normalizeResponseSchema } from "../../../protocol/normalization.ts";
import { Fault } from "../../fault.ts";
import type { Logger } from "../../../logging/logger.ts";
import type { TextNormalizer } from "../../normalization/text-normalizer.ts";
import type { Store } from "../../store/store.ts";
import { operation } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";

interface NormalizationDependencies {
  store: Store;
  normalizer: TextNormalizer;
  log: Logger;
}

/** Trying a text normalization config (interface specification, Session operations). The config is named by id or name. */
export function normalizationRoutes({ store, normalizer, log }: NormalizationDependencies): Operation[] {
  return [
    operation({
      method: "POST",
      path: "/api/v1/settings/text_normalization_config/:config/normalize/",
      id: "normalizeText",
      tag: "Text normalization",
      summary: "Try a text normalization config on a text",
      auth: "key",
      body: { schema: normalizeRequestSchema },
      answer: { status: 200, description: "The normalized text", schema: normalizeResponseSchema },
      async handler({ caller, params, body: { text, locale }, signal }) {
        const row = await store.catalogue.row(
          "text_normalization_config",
          caller.organizationId,
          params.config,
        );
        if (row === null) throw Fault.notFound();
        const normalized = await normalizer.normalize(row, text, { locale: locale ?? undefined, signal });
        for (const { code, detail } of normalized.faults)
          log.warn("text normalization step left out", { code, detail, config: row.id });
        return { normalized_text: normalized.text };
      },
    }),
  ];
}
