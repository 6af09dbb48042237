import { resolve } from "node:path";
import type { Plugin } from "vite";

/** Parts of lit-html's module, and what they become; each must be there. */
const changes: readonly [part: RegExp, replacement: string][] = [
  // The policy, which a page may forbid.
  [/e=s\?s\.createPolicy\("lit-html",\{createHTML:t=>t\}\):void 0/, "e=void 0"],
  // The patterns that only the template's own reading needs.
  [/f="\[ [^]*?,(?=x=t=>)/, ""],
  // The reading of a template's text, and its place among the exports.
  [
    /const N=\(t,i\)=>\{[^]*?static createElement\(t,i\)\{[^}]*\}\}(?=function M)/,
    'class S{constructor({strings:t}){return domTemplate(t,{"":H,".":I,"?":L,"@":z})}}',
  ],
  [/L:N,/, ""],
  // Templates that a compiler made, which we have none of.
  [/"number"==typeof s\?this\._\$AC\(t\):\([^]*?,s\)(?=;if)/, "this._$AC(t)"],
];

/**
 * Builds lit-html without markup: our templates become nodes one by one (src/widget/dom-template.ts), so that the widget
 * needs no Trusted Types policy. It stops the build where lit-html is not the one that it was written for.
 */
export function litWithoutMarkup(root: string): Plugin {
  const reader = JSON.stringify(resolve(root, "src/widget/dom-template.ts"));
  return {
    name: "lit-without-markup",
    transform(code, id) {
      if (!/\/lit-html\/lit-html\.js$/.test(id)) return null;
      for (const [part, replacement] of changes) {
        if (!part.test(code)) this.error(`lit-html has changed: ${String(part)} is not in it any more.`);
        code = code.replace(part, () => replacement);
      }
      return { code: `import{domTemplate}from${reader};${code}`, map: null };
    },
  };
}
