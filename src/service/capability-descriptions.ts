import type { CapabilityName } from "../protocol/catalogue.ts";

/** The description of each capability, in retrieved sessions and templates. */
export const capabilityDescriptions: Record<CapabilityName, string> = {
  STF_WEBRTC: "Interactive avatar with streamed video",
  STF_ONPREMISE: "Avatar rendering on the caller's premises",
  LLM: "Language model conversation",
  TTS: "Speech synthesis",
  STT: "Speech recognition",
};
