import type { SessionRetrieved } from "../../protocol/session.ts";

/** A copy of an object without some of its fields; null stays null. */
function without<Value extends object, Name extends keyof Value & string>(
  value: Value | null,
  names: readonly Name[],
): Omit<Value, Name> | null {
  if (value === null) return null;
  const copy = { ...value };
  for (const name of names) Reflect.deleteProperty(copy, name);
  return copy;
}

/** The fields with a config's hook addresses, and with what is sent to the hooks. */
const hookFields = [
  "hook_enabled",
  "pre_hook_url",
  "pre_hook_args",
  "post_hook_url",
  "post_hook_args",
] as const;

/**
 * What a caller without an API key may read of a session. Left out are prompt texts, hooks, tool servers, agent configs,
 * documents, and the free-form fields that the operator or the session's creator filled in.
 */
export function browserView(session: SessionRetrieved): SessionRetrieved {
  return {
    ...session,
    prompt: without(session.prompt, ["system_prompt", "description"]),
    tts_type: without(session.tts_type, ["voice_settings", "voice_extra_data"]),
    stt_type: without(session.stt_type, ["options"]),
    text_normalization_config: without(session.text_normalization_config, hookFields),
    stt_text_normalization_config: without(session.stt_text_normalization_config, hookFields),
    interactive_agent_config: without(session.interactive_agent_config, ["description", "organization"]),
    agent_config: null,
    mcp_servers: [],
    document: null,
    extra_data: null,
  };
}
