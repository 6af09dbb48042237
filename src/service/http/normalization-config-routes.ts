import type { Hono } from "hono";
import {
  textNormalizationConfigListSchema,
  textNormalizationDownloadSchema,
} from "../../protocol/catalogue.ts";
import type { ReadableCatalogue } from "../available-catalogue.ts";
import { Fault } from "../fault.ts";
import type { CatalogueRow } from "../store/store.ts";
import { rulesCsv } from "./normalization-rules-csv.ts";
import { operation } from "./operation.ts";
import { pathPart, route } from "./routing.ts";
import type { SignedLinks } from "./signed-link.ts";

const base = "/api/v1/settings/text_normalization_config/";

interface NormalizationConfigDependencies {
  catalogue: ReadableCatalogue;
  links: SignedLinks;
  publicUrl: string;
}

/** Text normalization configs and the download of their rules (wire conventions, Operations). */
export function normalizationConfigRoutes(
  app: Hono,
  { catalogue, links, publicUrl }: NormalizationConfigDependencies,
): void {
  async function named(
    organizationId: string,
    identifier: string,
  ): Promise<CatalogueRow<"text_normalization_config">> {
    const row = await catalogue.row("text_normalization_config", organizationId, identifier);
    if (row === null) throw Fault.notFound();
    return row;
  }

  route(app, base, {
    GET: operation(
      {
        id: "listTextNormalizationConfigs",
        tag: "Text normalization",
        summary: "List text normalization configs",
        access: "console",
        answer: { status: 200, description: "The configs", schema: textNormalizationConfigListSchema },
      },
      ({ caller }) => catalogue.list("text_normalization_config", caller.organizationId),
    ),
  });
  route(app, `${base}:config/download/`, {
    GET: operation(
      {
        id: "downloadTextNormalizationConfig",
        tag: "Text normalization",
        summary: "Get the address of a config's rules, which opens for ten minutes",
        access: "console",
        answer: { status: 200, description: "Where the rules are", schema: textNormalizationDownloadSchema },
      },
      async ({ context, caller: { organizationId } }) => {
        const { id, name } = await named(organizationId, pathPart(context, "config"));
        const path = `${base}${encodeURIComponent(id)}/file/`;
        const url = `${publicUrl}${path}?${links.query(path, organizationId)}`;
        return { config_id: id, config_name: name, file_url: url };
      },
    ),
  });
  route(app, `${base}:config/file/`, {
    GET: operation(
      {
        id: "downloadTextNormalizationRules",
        tag: "Text normalization",
        summary: "Download a config's rules in order, by the address that the config's download names",
        access: "open",
        answer: { status: 200, description: "The rules", contentType: "text/csv" },
      },
      async ({ context }) => {
        const { pathname, searchParams } = new URL(context.req.url);
        const organizationId = links.organizationOf(pathname, searchParams);
        if (organizationId === null)
          throw Fault.forbidden("This link is wrong or over. Ask for the download again.");
        const { engine } = await named(organizationId, pathPart(context, "config"));
        return context.body(rulesCsv(engine), 200, {
          "Content-Type": "text/csv; charset=utf-8",
          "Content-Disposition": 'attachment; filename="rules.csv"',
        });
      },
    ),
  });
}
