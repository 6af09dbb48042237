import type { EmbedConfig } from "../../protocol/settings/embed-config.ts";
import { recognizerOf } from "../../protocol/settings/voice-settings.ts";
import type { WireError } from "../../protocol/schema/error-body.ts";
import type { CatalogueKind } from "../store/entities/catalogue-store.ts";
import { isTimeZone } from "../knowledge/words/weekdays.ts";
import type { Store } from "../store/store.ts";

type Catalogue = Pick<Store["catalogue"], "find">;
type Named = [attr: string, kind: CatalogueKind, identifier: string | null | undefined];

/** Settings of an embed context that name something, of which some may be missing. */
export type NamingSettings = Partial<
  Record<"tts_type" | "model_style" | "background_image", string | null | undefined>
>;

/** One `does_not_exist` error for each name of something that the organization does not have. */
async function unknownNames(
  catalogue: Catalogue,
  organizationId: string,
  named: readonly Named[],
): Promise<WireError[]> {
  const faults: WireError[] = [];
  for (const [attr, kind, identifier] of named)
    if (typeof identifier === "string" && !(await catalogue.find(kind, organizationId, identifier)))
      faults.push({ code: "does_not_exist", detail: `"${identifier}" does not exist.`, attr });
  return faults;
}

/** What settings of an embed context name that does not exist. */
export function settingReferenceFaults(
  catalogue: Catalogue,
  organizationId: string,
  settings: NamingSettings,
): Promise<WireError[]> {
  const kinds = ["tts_type", "model_style", "background_image"] as const;
  return unknownNames(
    catalogue,
    organizationId,
    kinds.map((kind) => [kind, kind, settings[kind]]),
  );
}

/** What an `embed_config` names that does not exist. */
export async function configReferenceFaults(
  catalogue: Catalogue,
  organizationId: string,
  config: EmbedConfig,
): Promise<WireError[]> {
  const each = (list: "documents" | "mcp_servers", kind: CatalogueKind): Named[] =>
    (config[list] ?? []).map((name, index) => [`embed_config.${list}.${index}`, kind, name]);
  const faults = await unknownNames(catalogue, organizationId, [
    ["embed_config.prompt", "prompt", config.prompt],
    ["embed_config.llm_type", "llm_type", config.llm_type],
    ["embed_config.stt_type", "stt_type", recognizerOf(config)],
    ["embed_config.document", "document", config.document],
    ...each("documents", "document"),
    ...each("mcp_servers", "mcp_server"),
  ]);
  return [...faults, ...zoneFaults(config), ...(await toolFaults(catalogue, organizationId, config))];
}

function zoneFaults({ time_zone: name }: EmbedConfig): WireError[] {
  if (name === undefined || isTimeZone(name)) return [];
  return [
    { code: "does_not_exist", detail: `There is no time zone "${name}".`, attr: "embed_config.time_zone" },
  ];
}

/** One error for each tool that belongs to none of the context's servers. */
async function toolFaults(
  catalogue: Catalogue,
  organizationId: string,
  { mcp_servers: servers = [], mcp_tools: tools = [] }: EmbedConfig,
): Promise<WireError[]> {
  if (tools.length === 0) return [];
  const found = await Promise.all(
    servers.map((server) => catalogue.find("mcp_server", organizationId, server)),
  );
  const known = new Set(found.flatMap((server) => (server ? [server.name, server.mcpserver_id] : [])));
  return tools.flatMap((tool, index) => {
    const [server = ""] = tool.split("/", 1);
    if (known.has(server)) return [];
    const detail = `"${server}" is none of the context's mcp_servers.`;
    return [{ code: "invalid", detail, attr: `embed_config.mcp_tools.${index}` }];
  });
}
