import type { VoiceStatus } from "../../client/index.ts";

/** The status of a microphone that was not used yet. */
export const unusedVoice: VoiceStatus = {
  state: "off",
  fault: null,
  turn: "none",
  words: "",
  handsFree: false,
  questionId: null,
};
