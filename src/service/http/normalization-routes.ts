import type { Hono } from "hono";
import { normalizeRequestSchema } from "../../protocol/normalization.ts";
import { Fault } from "../fault.ts";
import type { Log } from "../log.ts";
import type { TextNormalizer } from "../normalization/text-normalizer.ts";
import type { Store } from "../store/store.ts";
import { readRequestFields } from "./request-fields.ts";
import { pathPart, route } from "./routing.ts";
import { validated } from "./validation.ts";
import { requireCaller } from "./visit.ts";

interface NormalizationDependencies {
  store: Store;
  normalizer: TextNormalizer;
  log: Log;
}

/** Trying a text normalization config (interface specification, Session operations). The config is named by id or name. */
export function normalizationRoutes(app: Hono, { store, normalizer, log }: NormalizationDependencies): void {
  route(app, "/api/v1/settings/text_normalization_config/:config/normalize/", {
    POST: async (context) => {
      const { organizationId } = requireCaller(context, false);
      const { fields } = await readRequestFields(context.req.raw, { form: {} });
      const { text, locale } = validated(normalizeRequestSchema, fields);
      const row = await store.catalogue.row(
        "text_normalization_config",
        organizationId,
        pathPart(context, "config"),
      );
      if (row === null) throw Fault.notFound();
      const normalized = await normalizer.normalize(row, text, {
        locale: locale ?? undefined,
        signal: context.req.raw.signal,
      });
      for (const { code, detail } of normalized.faults)
        log.warn("text normalization step left out", { code, detail, config: row.id });
      return context.json({ normalized_text: normalized.text });
    },
  });
}
