import type { EmbedContextPut } from "../protocol/embed-context.ts";
import { recognizerOf } from "../protocol/voice-settings.ts";
import type { WireError } from "../protocol/error-body.ts";
import type { CatalogueKind } from "./store/catalogue-kinds.ts";
import type { Store } from "./store/store.ts";

/** Settings of an embed context, of which some may be missing. */
export type ReadableSettings = { [Name in keyof EmbedContextPut]?: EmbedContextPut[Name] | undefined };

/**
 * One `does_not_exist` error for each setting of an embed context that names something its organization does not have. Settings that
 * are missing name nothing.
 */
export async function contextReferenceFaults(
  catalogue: Pick<Store["catalogue"], "find">,
  organizationId: string,
  settings: ReadableSettings,
): Promise<WireError[]> {
  const { embed_config: config = {} } = settings;
  const named: [attr: string, kind: CatalogueKind, identifier: string | null | undefined][] = [
    ["tts_type", "tts_type", settings.tts_type],
    ["model_style", "model_style", settings.model_style],
    ["background_image", "background_image", settings.background_image],
    ["embed_config.prompt", "prompt", config.prompt],
    ["embed_config.llm_type", "llm_type", config.llm_type],
    ["embed_config.stt_type", "stt_type", recognizerOf({ embed_config: config })],
    ["embed_config.document", "document", config.document],
    ...(config.documents ?? []).map((name, index): [string, CatalogueKind, string] => [
      `embed_config.documents.${index}`,
      "document",
      name,
    ]),
    ...(config.mcp_servers ?? []).map((name, index): [string, CatalogueKind, string] => [
      `embed_config.mcp_servers.${index}`,
      "mcp_server",
      name,
    ]),
  ];
  const faults: WireError[] = [];
  for (const [attr, kind, identifier] of named)
    if (typeof identifier === "string" && !(await catalogue.find(kind, organizationId, identifier)))
      faults.push({ code: "does_not_exist", detail: `"${identifier}" does not exist.`, attr });
  return [...faults, ...(await toolFaults(catalogue, organizationId, config))];
}

/** One error for each tool that belongs to none of the context's servers. */
async function toolFaults(
  catalogue: Pick<Store["catalogue"], "find">,
  organizationId: string,
  { mcp_servers: servers = [], mcp_tools: tools = [] }: EmbedContextPut["embed_config"],
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
