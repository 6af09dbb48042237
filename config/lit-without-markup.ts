import { resolve } from "node:path";
import type { Plugin } from "vite";

/** A part of a module and its replacement. Each part must be found. */
type Change = readonly [part: RegExp, replacement: string];

const litHtml: readonly Change[] = [
  // The Trusted Types policy, which a page may forbid.
  [/,s=t\.trustedTypes,e=s\?s\.createPolicy\("lit-html",\{createHTML:t=>t\}\):void 0/, ""],
  // The patterns that only lit's template parser needs.
  [/f="\[ [^]*?,(?=x=t=>)/, ""],
  // The template parser, and its export.
  [
    /const N=\(t,i\)=>\{[^]*?static createElement\(t,i\)\{[^}]*\}\}(?=function M)/,
    'class S{constructor({strings:t}){return domTemplate(t,{"":H,".":I,"?":L,"@":z})}}',
  ],
  // What directives of ours do not use: a part of a list is all they ask for.
  [/j=\{M:h,[^]*?F:Z\}/, "j={I:k}"],
  [/,h="\$lit\$",o=[^]*?(?=,l=document)/, ""],
  // Support for precompiled templates, which we do not use.
  [/"number"==typeof s\?this\._\$AC\(t\):\([^]*?,s\)(?=;if)/, "this._$AC(t)"],
  // Support for polyfills of old browsers, and the list of versions in a page.
  [/,B=t\.litHtmlPolyfillSupport;B\?\.\(S,k\),[^]*?(?=;const D=)/, ""],
];

/** What our one element does not use: style sheets of the class, decorators, reflected properties, polyfills. */
const reactiveElement: readonly Change[] = [
  [/,c=a\.trustedTypes,l=c\?c\.emptyScript:"",p=a\.reactiveElementPolyfillSupport/, ""],
  [/toAttribute\(t,s\)\{[^]*?return t\},(?=fromAttribute)/, ""],
  [/case Number:i=null===t\?null:Number\(t\);break;case Object:case Array:try\{[^]*?i=null\}/, ""],
  [/Symbol\.metadata\?\?=[^]*?new WeakMap;/, ""],
  [/static addInitializer\(t\)\{[^}]*\}/, ""],
  [/,void 0!==t\.l&&\(this\.l=\[\.\.\.t\.l\]\)/, ""],
  [/const t=this\[Symbol\.metadata\];if\(null!==t\)\{[^]*?\}(?=this\._\$Eh=new Map)/, ""],
  [/this\.elementStyles=this\.finalizeStyles\(this\.styles\)/, ""],
  [/static finalizeStyles\(s\)\{[^]*?return i\}/, ""],
  [/,this\.constructor\.l\?\.forEach\(t=>t\(this\)\)/, ""],
  [/createRenderRoot\(\)\{[^}]*\}(?=connectedCallback)/, ""],
  [/_\$ET\(t,s\)\{[^]*?this\._\$Em=null\}\}(?=_\$AK)/, ""],
  [/this\._\$Eq&&=this\._\$Eq\.forEach\([^]*?\),(?=this\._\$EM)/, ""],
  [/,!0===e&&this\._\$Em!==t&&\(this\._\$Eq\?\?=new Set\)\.add\(t\)/, ""],
  [/y\.elementStyles=\[\],y\.shadowRootOptions=\{mode:"open"\},/, ""],
  [/,p\?\.\(\{ReactiveElement:y\}\),\(a\.reactiveElementVersions\?\?=\[\]\)\.push\("[\d.]+"\)/, ""],
];

const litElement: readonly Change[] = [
  [/createRenderRoot\(\)\{[^}]*\}/, ""],
  [/,s\.litElementHydrateSupport\?\.\(\{LitElement:i\}\);[^]*?(?=const n=)/, ";"],
  [/\(s\.litElementVersions\?\?=\[\]\)\.push\("[\d.]+"\);/, ""],
];

/** Style sheets of an element's class, for browsers that cannot adopt any. */
const cssTag =
  "export const adoptStyles=0,getCompatibleStyle=0,CSSResult=0,css=0,supportsAdoptingStyleSheets=0,unsafeCSS=0";

const modules: Readonly<Record<string, readonly Change[]>> = {
  "lit-html/lit-html.js": litHtml,
  "@lit/reactive-element/reactive-element.js": reactiveElement,
  "lit-element/lit-element.js": litElement,
};

/**
 * Builds Lit without what the widget does not use, above all without HTML parsing: our templates are turned into DOM nodes one by
 * one (src/widget/dom-template.ts), so that the widget needs no Trusted Types policy. The build fails if a module is not the
 * version that this was written for.
 */
export function litWithoutMarkup(root: string): Plugin {
  const reader = JSON.stringify(resolve(root, "src/widget/dom-template.ts"));
  return {
    name: "lit-without-markup",
    transform(code, id) {
      if (id.endsWith("/@lit/reactive-element/css-tag.js")) return { code: cssTag, map: null };
      const name = Object.keys(modules).find((path) => id.endsWith(`/node_modules/${path}`));
      if (!name) return null;
      for (const [part, replacement] of modules[name] ?? []) {
        if (!part.test(code))
          this.error(
            `${name} has changed: it no longer contains ${String(part)}. Adapt config/lit-without-markup.ts.`,
          );
        code = code.replace(part, () => replacement);
      }
      if (name !== "lit-html/lit-html.js") return { code, map: null };
      return { code: `import{domTemplate}from${reader};${code}`, map: null };
    },
  };
}
