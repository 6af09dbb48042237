/** For each field of a session create that names an object: the field of that object that identifies it. */
const identifierOf: Readonly<Record<string, string>> = {
  prompt: "prompt_id",
  document: "document_id",
  llm_type: "name",
  tts_type: "name",
  text_normalization_config: "textnormalizationconfig_id",
  stt_type: "name",
  stt_text_normalization_config: "textnormalizationconfig_id",
  model_style: "name",
  agent_config: "agentconfig_id",
  interactive_agent_config: "interactiveagentconfig_id",
  background_image: "backgroundimage_id",
};

/** Lists of a session create whose entries are answered as objects with a name. */
const namedLists = ["capability", "mcp_servers"];

/** The identifier of an object; any other value is returned as it is, for validation to judge. */
function named(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  const identifier: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
  return typeof identifier === "string" ? identifier : value;
}

/**
 * Replaces objects in the fields of a session create by their identifiers. Templates and retrieved sessions are answered
 * with objects, and clients send back what they received.
 */
export function withIdentifiers(fields: Record<string, unknown>): Record<string, unknown> {
  const result = { ...fields };
  for (const [field, key] of Object.entries(identifierOf))
    if (Object.hasOwn(result, field)) result[field] = named(result[field], key);
  for (const field of namedLists) {
    const list = result[field];
    if (Array.isArray(list)) result[field] = list.map((entry: unknown) => named(entry, "name"));
  }
  return result;
}
