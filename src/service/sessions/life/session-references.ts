import type { Prompt } from "../../../protocol/catalogue.ts";
import type { WireError } from "../../../protocol/schema/error-body.ts";
import { keysOf } from "../../../protocol/schema/keys-of.ts";
import type { CatalogueKind } from "../../store/entities/catalogue-store.ts";
import type { ContextRecord, SessionRequest, Store } from "../../store/store.ts";

/** The parts of the store where identifiers are looked up. */
export interface NameableStore {
  catalogue: Pick<Store["catalogue"], "find">;
  contexts: Pick<Store["contexts"], "byUuid">;
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function contextPrompt(context: ContextRecord): Prompt {
  return {
    prompt_id: context.id,
    name: context.name,
    system_prompt: context.instructions,
    description: "",
    require_document: false,
    intro_message: context.greeting,
  };
}

/** The prompt for an identifier: a prompt of the catalogue, else the embed context with that UUID. */
export async function findPrompt(
  store: NameableStore,
  organizationId: string,
  identifier: string,
): Promise<Prompt | null> {
  const prompt = await store.catalogue.find("prompt", organizationId, identifier);
  if (prompt) return prompt;
  if (!uuidPattern.test(identifier)) return null;
  const context = await store.contexts.byUuid(organizationId, identifier.toLowerCase());
  return context && contextPrompt(context);
}

/** The catalogue of each identifier in a create request. The prompt is looked up separately. */
const referenceKinds = {
  document: "document",
  llm_type: "llm_type",
  tts_type: "tts_type",
  text_normalization_config: "text_normalization_config",
  stt_type: "stt_type",
  stt_text_normalization_config: "text_normalization_config",
  model_style: "model_style",
  agent_config: "agent_config",
  interactive_agent_config: "interactive_agent_config",
  background_image: "background_image",
} as const satisfies Partial<Record<keyof SessionRequest, CatalogueKind>>;

/** One `does_not_exist` error for each identifier in the request that names nothing. */
export async function referenceFaults(
  store: NameableStore,
  organizationId: string,
  request: Partial<SessionRequest>,
): Promise<WireError[]> {
  const faults: WireError[] = [];
  const check = (found: unknown, attr: string, identifier: string) => {
    if (found === null)
      faults.push({ code: "does_not_exist", detail: `"${identifier}" does not exist.`, attr });
  };
  if (request.prompt !== undefined)
    check(await findPrompt(store, organizationId, request.prompt), "prompt", request.prompt);
  for (const field of keysOf(referenceKinds)) {
    const identifier = request[field];
    if (identifier !== undefined)
      check(await store.catalogue.find(referenceKinds[field], organizationId, identifier), field, identifier);
  }
  for (const [index, name] of (request.mcp_servers ?? []).entries())
    check(await store.catalogue.find("mcp_server", organizationId, name), `mcp_servers.${index}`, name);
  return faults;
}
