import {
  textNormalizationConfigListSchema,
  textNormalizationDownloadSchema,
} from "../../../protocol/catalogue.ts";
import type { ReadableCatalogue } from "../../available-catalogue.ts";
import { Fault } from "../../fault.ts";
import type { CatalogueRow } from "../../store/store.ts";
import { rulesCsv } from "../answers/normalization-rules-csv.ts";
import type { SignedLinks } from "../answers/signed-link.ts";
import { operation } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";
import { catalogueList, wholeEntry } from "./catalogue-list.ts";

const base = "/api/v1/settings/text_normalization_config/";
const tag = "Text normalization";

interface NormalizationConfigDependencies {
  catalogue: ReadableCatalogue;
  links: SignedLinks;
  publicUrl: string;
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

const getDownload = ({ catalogue, links, publicUrl }: NormalizationConfigDependencies): Operation =>
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
      const url = `${publicUrl}${path}?${links.query(path, organizationId)}`;
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
