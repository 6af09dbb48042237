import type { CapabilityName } from "../protocol/catalogue.ts";

/** What each capability is, as retrieved sessions and templates say it. */
export const capabilityDescriptions: Record<CapabilityName, string> = {
  STF_WEBRTC: "Interactive avatar with streamed video",
  STF_ONPREMISE: "Avatar rendering on the caller's premises",
  LLM: "Language model conversation",
  TTS: "Speech synthesis",
  STT: "Speech recognition",
};
