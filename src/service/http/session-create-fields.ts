/** The field that tells an object of the answers apart, for each field of a create that names one. */
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

/** Lists of a create whose answered entries are objects with a name. */
const namedLists = ["capability", "mcp_servers"];

/** The text under the key where the value is such an object, else the value itself, for validation to judge. */
function named(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  const identifier: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
  return typeof identifier === "string" ? identifier : value;
}

/**
 * The fields of a session create with identifiers in the place of objects: templates and retrieved sessions are answered
 * with objects, and clients send back what they were answered.
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
