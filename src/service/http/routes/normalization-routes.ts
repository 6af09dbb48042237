import { normalizeRequestSchema, normalizeResponseSchema } from "../../../protocol/speech/normalization.ts";
import { Fault } from "../../faults/fault.ts";
import type { Logger } from "../../../logging/logger.ts";
import type { TextNormalizer } from "../../normalization/text-normalizer.ts";
import type { CatalogueRow, EngineSettings, Store } from "../../store/store.ts";
import { operation, type Operation } from "../operations/operation.ts";
import { normalizationRulesSchema } from "../../../protocol/speech/normalization-rules.ts";
import {
  textNormalizationConfigListSchema,
  textNormalizationDownloadSchema,
} from "../../../protocol/catalogue.ts";
import type { ReadableCatalogue } from "../../engines/available-catalogue.ts";
import type { SignedLinks } from "../answers/signed-link.ts";
import { catalogueList, wholeEntry } from "./catalogue-list.ts";

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

const columns = ["order", "pattern", "replacement", "locale", "description"] as const;

/** A field of a CSV file (RFC 4180), quoted where necessary. */
function field(value: string | number | null | undefined): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rules of a config's row as CSV, in the order in which they run. An empty locale means every locale. */
function rulesCsv(engine: EngineSettings | null): string {
  const { rules } = normalizationRulesSchema.parse(engine ?? {});
  const lines = rules
    .toSorted((left, right) => left.order - right.order)
    .map((rule) => columns.map((column) => field(rule[column])).join(","));
  return [columns.join(","), ...lines, ""].join("\r\n");
}

const base = "/api/v1/settings/text_normalization_config/";
const tag = "Text normalization";

interface NormalizationConfigDependencies {
  catalogue: ReadableCatalogue;
  links: SignedLinks;
  serviceUrl: string;
}

async function namedConfig(
  catalogue: ReadableCatalogue,
  organizationId: string,
  identifier: string,
): Promise<CatalogueRow<"text_normalization_config">> {
  const row = await catalogue.row("text_normalization_config", organizationId, identifier);
  if (row === null) throw Fault.notFound();
  return row;
}

const getDownload = ({ catalogue, links, serviceUrl }: NormalizationConfigDependencies): Operation =>
  operation({
    method: "GET",
    path: `${base}:config/download/`,
    id: "downloadTextNormalizationConfig",
    tag,
    summary: "Get the address of a config's rules, which is valid for ten minutes",
    auth: "console",
    answer: { status: 200, description: "Where the rules are", schema: textNormalizationDownloadSchema },
    async handler({ params, caller: { organizationId } }) {
      const { id, name } = await namedConfig(catalogue, organizationId, params.config);
      const path = `${base}${encodeURIComponent(id)}/file/`;
      const url = `${serviceUrl}${path}?${links.query(path, organizationId)}`;
      return { config_id: id, config_name: name, file_url: url };
    },
  });

const downloadRules = ({ catalogue, links }: NormalizationConfigDependencies): Operation =>
  operation({
    method: "GET",
    path: `${base}:config/file/`,
    id: "downloadTextNormalizationRules",
    tag,
    summary: "Download a config's rules in order, by the address from the config's download",
    auth: "none",
    answer: {
      status: 200,
      description: "The rules",
      contentType: "text/csv; charset=utf-8",
      headers: { "Content-Disposition": 'attachment; filename="rules.csv"' },
    },
    async handler({ context, params }) {
      const { pathname, searchParams } = new URL(context.req.url);
      const organizationId = links.organizationOf(pathname, searchParams);
      if (organizationId === null)
        throw Fault.forbidden("This link is invalid or has expired. Request the download again.");
      const { engine } = await namedConfig(catalogue, organizationId, params.config);
      return rulesCsv(engine);
    },
  });

/** Text normalization configs and the download of their rules (wire conventions, Operations). */
export function normalizationConfigRoutes(dependencies: NormalizationConfigDependencies): Operation[] {
  const { catalogue } = dependencies;
  return [
    catalogueList(catalogue, "text_normalization_config", {
      path: base,
      id: "listTextNormalizationConfigs",
      tag,
      summary: "List text normalization configs",
      schema: textNormalizationConfigListSchema,
      view: wholeEntry,
    }),
    getDownload(dependencies),
    downloadRules(dependencies),
  ];
}
