import { setDefaultRelay } from "./settings/default-relay.ts";
import { defineAvatar } from "./visavis-avatar.ts";

/** The widget as a relay serves it; embed.js and the viewer import this module. */
setDefaultRelay(new URL(import.meta.url).origin);
defineAvatar();
