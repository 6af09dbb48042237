import type { SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";
import type { CatalogueKind, CatalogueKinds } from "../../../src/service/store/entities/catalogue-store.ts";
import { runService, type RunningService } from "../service-fixture.ts";

const at = "2026-01-01T00:00:00.000Z";

/** A recognizer that hears nothing. */
export const deafRecognizer: SpeechRecognizer = {
  recognize: () => Promise.resolve({ text: "", locale: null }),
  close: () => Promise.resolve(),
};

/** An entry of every kind that sessions and templates can name, with every field of the specification. */
export async function putFullCatalogue(run: RunningService): Promise<void> {
  const { organizationId } = run;
  const agentsEngine = { url: "https://agent.example/canary" };
  const put = <Kind extends CatalogueKind>(
    kind: Kind,
    id: string,
    name: string,
    body: CatalogueKinds[Kind],
  ) =>
    run.put(kind, id, body, kind === "interactive_agent_config" ? agentsEngine : null, {
      name,
      organizationId,
    });
  await put("prompt", "p1", "Concierge", {
    ...{ prompt_id: "p1", name: "Concierge", system_prompt: "You are the concierge." },
    ...{ description: "Of the hotel", require_document: true, intro_message: "Welcome" },
  });
  await put("document", "d1", "Hotel", {
    ...{ document_id: "d1", title: "Hotel", file: null, processed: true, processed_v2: true },
    ...{ created_at: at, updated_at: at, description: "Rooms", search_count: 3, ef_search: 40 },
  });
  await put("stt_type", "ears", "ears", { name: "ears", service: "onpremise", options: { beam: 4 } });
  await put("text_normalization_config", "n1", "Words", {
    ...{ textnormalizationconfig_id: "n1", name: "Words", created_at: at, hook_enabled: false },
    ...{ pre_hook_url: "https://hooks.example/pre", post_hook_url: "https://hooks.example/post" },
    ...{ pre_hook_args: { a: 1 }, post_hook_args: [2] },
  });
  const config = { system_prompt: "Be brief." };
  const agent = { agentconfig_id: "a1", name: "Designer", created_at: at, updated_at: at, config };
  await put("agent_config", "a1", "Designer", agent);
  await put("interactive_agent_config", "pliac-1", "Outside", {
    ...{ interactiveagentconfig_id: "pliac-1", name: "Outside", description: "Elsewhere" },
    ...{ intro_message: "Hello", organization: organizationId },
  });
  await put("mcp_server", "m1", "orders", {
    ...{ mcpserver_id: "m1", name: "orders", organization: organizationId, url: "https://tools.example" },
    ...{ description: "Orders", auth_header: "Bearer canary", transport_protocol: "sse" as const },
    ...{ server_timeout_sec: 5, extra_data: { region: "eu" } },
  });
  await put("session_template", "t1", "Reception", {
    ...{ sessiontemplate_id: "t1", name: "Reception", description: "For the hall", created_at: at },
    ...{ last_used_at: null, capability: ["STF_WEBRTC", "LLM"], prompt: "p1", document: "d1" },
    ...{ llm_type: "visavis-retrieval", tts_type: "visavis-slt", model_style: "mina", stt_type: "ears" },
    ...{ text_normalization_config: "n1", text_normalization_locale: "en" },
    ...{ stt_text_normalization_config: "n1", stt_text_normalization_locale: "de" },
    ...{ agent: "older", agent_config: "a1", interactive_agent_config: "pliac-1" },
    ...{ background_image: "room", mcp_servers: ["orders"], extra_data: { floor: 2 } },
    ...{ padding_left: -0.5, padding_top: 0.25, padding_height: 2 },
  });
}

/** A service with an entry of every kind, whose recognizers are all there. */
export async function runFullCatalogue(
  overrides: Parameters<typeof runService>[0] = {},
): Promise<RunningService> {
  const run = await runService({ recognizer: () => deafRecognizer, ...overrides });
  await putFullCatalogue(run);
  return run;
}
