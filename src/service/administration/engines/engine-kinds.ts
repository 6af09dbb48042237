import type { EngineKind } from "../../../protocol/console/engines.ts";

/** The kind of catalogue entry behind each kind of engine. */
export const entryKinds = {
  model: "llm_type",
  voice: "tts_type",
  recognizer: "stt_type",
  tools: "mcp_server",
  agent: "interactive_agent_config",
} as const satisfies Record<EngineKind, string>;

/** A kind of catalogue entry that is an engine. */
export type EngineEntryKind = (typeof entryKinds)[EngineKind];
