import { defineAvatar } from "./visavis-avatar.ts";

/** The package `visavis`: importing it registers `<visavis-avatar>`, unless the page has it already. */
defineAvatar();

export type {
  Activity,
  ClientTool,
  SessionState,
  TranscriptEntry,
  Variables,
  VisavisErrorCode,
} from "../client/index.ts";
export { VisavisError } from "../client/index.ts";
export type { VisavisEventMap } from "./session/element-events.ts";
export { setDefaultRelay } from "./settings/default-relay.ts";
export { VisavisAvatar } from "./visavis-avatar.ts";
