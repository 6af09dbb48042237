import type { CapabilityName } from "../../protocol/catalogue.ts";
import type { WireError } from "../../protocol/error-body.ts";
import type { SessionCreate } from "../../protocol/session.ts";

type RequiredField = "prompt" | "llm_type" | "model_style" | "tts_type" | "stt_type";

/** Fields required for each capability (interface specification, What the service does). */
const requiredFields: Record<CapabilityName, readonly RequiredField[]> = {
  STF_WEBRTC: ["prompt", "llm_type", "model_style", "tts_type"],
  STF_ONPREMISE: ["model_style"],
  LLM: ["prompt", "llm_type"],
  TTS: ["tts_type"],
  STT: ["stt_type"],
};

/** The capabilities of a create request without duplicates; STF_WEBRTC if it names none (rule 2). */
export function requestedCapabilities(request: SessionCreate): CapabilityName[] {
  return [...new Set(request.capability ?? ["STF_WEBRTC" as const])];
}

/** Errors for the rules that span several fields of a create request (interface specification, Rules for session creation). */
export function capabilityFaults(request: SessionCreate): WireError[] {
  const capabilities = requestedCapabilities(request);
  const faults: WireError[] = [];
  if (capabilities.includes("STF_WEBRTC") && capabilities.includes("STF_ONPREMISE"))
    faults.push({
      code: "invalid",
      detail: "STF_WEBRTC and STF_ONPREMISE must not be used together.",
      attr: "capability",
    });
  const agent = request.interactive_agent_config !== undefined;
  if (agent && (request.llm_type !== undefined || request.prompt !== undefined))
    faults.push({
      code: "invalid",
      detail: "interactive_agent_config must not be combined with llm_type or prompt.",
      attr: "interactive_agent_config",
    });
  // An interactive agent replaces the prompt and the language model, so these fields are not required with it.
  const replaced: readonly RequiredField[] = agent ? ["prompt", "llm_type"] : [];
  const required = new Set(capabilities.flatMap((capability) => requiredFields[capability]));
  for (const field of required)
    if (request[field] === undefined && !replaced.includes(field)) {
      const asking = capabilities.filter((capability) => requiredFields[capability].includes(field));
      const detail = `This field is required for ${asking.join(", ")}.`;
      faults.push({ code: "required", detail, attr: field });
    }
  return faults;
}
