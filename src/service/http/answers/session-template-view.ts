import type { SessionTemplate, SessionTemplateRecord } from "../../../protocol/session-template.ts";
import type { ReadableCatalogue } from "../../available-catalogue.ts";
import { capabilityDescriptions } from "../../capability-descriptions.ts";
import type { PublicFiles } from "../../sessions/public-files.ts";
import type { CatalogueKind, CatalogueKinds } from "../../store/catalogue-kinds.ts";

/** A template with the objects that it names, as they are now; null for an object that does not exist. */
export async function sessionTemplateView(
  catalogue: Pick<ReadableCatalogue, "find">,
  files: PublicFiles,
  organizationId: string,
  record: SessionTemplateRecord,
): Promise<SessionTemplate> {
  const find = async <Kind extends CatalogueKind>(
    kind: Kind,
    identifier: string | null,
  ): Promise<CatalogueKinds[Kind] | null> =>
    identifier === null ? null : catalogue.find(kind, organizationId, identifier);
  const style = await find("model_style", record.model_style);
  const image = await find("background_image", record.background_image);
  const knowledge = await find("document", record.document);
  const servers = await Promise.all(record.mcp_servers.map((name) => find("mcp_server", name)));
  return {
    ...record,
    capability: record.capability.map((name) => ({ name, description: capabilityDescriptions[name] })),
    prompt: await find("prompt", record.prompt),
    document: knowledge && files.document(knowledge),
    llm_type: await find("llm_type", record.llm_type),
    tts_type: await find("tts_type", record.tts_type),
    stt_type: await find("stt_type", record.stt_type),
    text_normalization_config: await find("text_normalization_config", record.text_normalization_config),
    stt_text_normalization_config: await find(
      "text_normalization_config",
      record.stt_text_normalization_config,
    ),
    model_style: style && files.modelStyle(style),
    agent_config: await find("agent_config", record.agent_config),
    interactive_agent_config: await find("interactive_agent_config", record.interactive_agent_config),
    background_image: image && files.backgroundImage(image),
    mcp_servers: servers.filter((server) => server !== null),
  };
}
