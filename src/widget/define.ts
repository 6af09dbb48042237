import { VisavisAvatar } from "./visavis-avatar.ts";

/** The only place that registers the element; embed.js imports this module. */
if (!customElements.get("visavis-avatar")) customElements.define("visavis-avatar", VisavisAvatar);

declare global {
  interface HTMLElementTagNameMap {
    "visavis-avatar": VisavisAvatar;
  }
}

export { VisavisAvatar };
