/** The element in the templates of each framework: what its types must accept, and what they must refuse. */
export const frameworkUses: Readonly<Record<string, string>> = {
  react: `/** @jsxImportSource react */
export const good = <visavis-avatar context-id="ctx" variant="inline" prefetch="idle" transparent padding-left={0.2} lang="ko" className="x"
  onvisavis-error={(event) => event.detail.code.length} ref={(element) => void element?.start()} />;
// @ts-expect-error there is no such variant
export const bad = <visavis-avatar variant="round" />;
// @ts-expect-error the payload has no such field
export const wrong = <visavis-avatar onvisavis-caption={(event) => event.detail.code} />;`,
  vue: `/** @jsxImportSource vue */
import type { GlobalComponents } from "vue";
export const good = <visavis-avatar context-id="ctx" variant="inline" prefetch="idle" transparent padding-left={0.2} lang="ko" class="x"
  onVisavis-error={(event) => event.detail.code.length} />;
// @ts-expect-error there is no such variant
export const bad = <visavis-avatar variant="round" />;
export type InTemplates = GlobalComponents["visavis-avatar"];`,
  svelte: `import type { SvelteHTMLElements } from "svelte/elements";
type Attributes = SvelteHTMLElements["visavis-avatar"];
export const good: Attributes = { "context-id": "ctx", variant: "inline", prefetch: "idle", transparent: true, "padding-left": 0.2, lang: "ko",
  class: "x", "onvisavis-error": (event) => event.detail.code.length };
// @ts-expect-error there is no such variant
export const bad: Attributes = { variant: "round" };`,
  solid: `/** @jsxImportSource solid-js */
export const good = <visavis-avatar context-id="ctx" variant="inline" prefetch="idle" transparent attr:padding-left={0.2} lang="ko" class="x"
  on:visavis-error={(event) => event.detail.code.length} ref={(element) => void element.start()} />;
// @ts-expect-error there is no such variant
export const bad = <visavis-avatar variant="round" />;`,
};
