import { setDefaultRelay } from "./settings/default-relay.ts";
import { VisavisAvatar } from "./visavis-avatar.ts";

/** The widget as a relay serves it; embed.js and the viewer import this module. The first one on a page stays. */
setDefaultRelay(new URL(import.meta.url).origin);
if (!customElements.get("visavis-avatar")) customElements.define("visavis-avatar", VisavisAvatar);
// eslint-disable-next-line no-console -- the page's owner should know why this version is not used
else console.warn("Visavis is already loaded");
