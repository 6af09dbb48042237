import type { CatalogueKind, CatalogueKinds } from "../../../src/service/store/entities/catalogue-store.ts";
import type { RunningService } from "../service-fixture.ts";

const at = "2026-01-01T00:00:00.000Z";

/** An entry of every kind that sessions and templates can name, with every field of the specification. */
export async function putFullCatalogue(run: RunningService): Promise<void> {
  const put = <Kind extends CatalogueKind>(
    kind: Kind,
    id: string,
    name: string,
    body: CatalogueKinds[Kind],
    engine: Record<string, unknown> | null = null,
  ) =>
    run.store.catalogue.put({
      kind,
      id,
      name,
      organizationId: run.organizationId,
      createdAtMs: 0,
      body,
      engine,
    });
  await put("prompt", "p1", "Concierge", {
    prompt_id: "p1",
    name: "Concierge",
    system_prompt: "You are the concierge.",
    description: "Of the hotel",
    require_document: true,
    intro_message: "Welcome",
  });
  await put("document", "d1", "Hotel", {
    document_id: "d1",
    title: "Hotel",
    file: null,
    processed: true,
    processed_v2: true,
    created_at: at,
    updated_at: at,
    description: "Rooms",
    search_count: 3,
    ef_search: 40,
  });
  await put("stt_type", "ears", "ears", { name: "ears", service: "onpremise", options: { beam: 4 } });
  await put("text_normalization_config", "n1", "Words", {
    textnormalizationconfig_id: "n1",
    name: "Words",
    pre_hook_url: "https://hooks.example/pre",
    post_hook_url: "https://hooks.example/post",
    created_at: at,
    hook_enabled: false,
    pre_hook_args: { a: 1 },
    post_hook_args: [2],
  });
  await put("agent_config", "a1", "Designer", {
    agentconfig_id: "a1",
    name: "Designer",
    created_at: at,
    updated_at: at,
    config: { system_prompt: "Be brief." },
  });
  await put(
    "interactive_agent_config",
    "pliac-1",
    "Outside",
    {
      interactiveagentconfig_id: "pliac-1",
      name: "Outside",
      description: "Elsewhere",
      intro_message: "Hello",
      organization: run.organizationId,
    },
    { url: "https://agent.example/canary" },
  );
  await put("mcp_server", "m1", "orders", {
    mcpserver_id: "m1",
    name: "orders",
    organization: run.organizationId,
    url: "https://tools.example",
    description: "Orders",
    auth_header: "Bearer canary",
    transport_protocol: "sse",
    server_timeout_sec: 5,
    extra_data: { region: "eu" },
  });
  await put("session_template", "t1", "Reception", {
    sessiontemplate_id: "t1",
    name: "Reception",
    description: "For the hall",
    created_at: at,
    last_used_at: null,
    capability: ["STF_WEBRTC", "LLM"],
    prompt: "p1",
    document: "d1",
    llm_type: "visavis-retrieval",
    tts_type: "visavis-slt",
    text_normalization_config: "n1",
    text_normalization_locale: "en",
    stt_type: "ears",
    stt_text_normalization_config: "n1",
    stt_text_normalization_locale: "de",
    model_style: "mina",
    agent: "older",
    agent_config: "a1",
    interactive_agent_config: "pliac-1",
    background_image: "room",
    mcp_servers: ["orders"],
    padding_left: -0.5,
    padding_top: 0.25,
    padding_height: 2,
    extra_data: { floor: 2 },
  });
}
