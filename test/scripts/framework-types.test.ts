import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { elementManifest } from "../../scripts/element-manifest.ts";
import { frameworkTypes } from "../../scripts/framework-types.ts";

/** Inside the repository, so that the frameworks' own types are found. */
const folder = resolve("test-results", `framework-types-${process.pid}`);
const declarations = frameworkTypes(elementManifest("dist/package/element.js"));

const uses: Readonly<Record<string, string>> = {
  react: `/** @jsxImportSource react */
export const good = <visavis-avatar context-id="ctx" variant="inline" transparent padding-left={0.2} lang="ko" className="x"
  onvisavis-error={(event) => event.detail.code.length} ref={(element) => void element?.start()} />;
// @ts-expect-error there is no such variant
export const bad = <visavis-avatar variant="round" />;
// @ts-expect-error the payload has no such field
export const wrong = <visavis-avatar onvisavis-caption={(event) => event.detail.code} />;`,
  vue: `/** @jsxImportSource vue */
import type { GlobalComponents } from "vue";
export const good = <visavis-avatar context-id="ctx" variant="inline" transparent padding-left={0.2} lang="ko" class="x"
  onVisavis-error={(event) => event.detail.code.length} />;
// @ts-expect-error there is no such variant
export const bad = <visavis-avatar variant="round" />;
export type InTemplates = GlobalComponents["visavis-avatar"];`,
  svelte: `import type { SvelteHTMLElements } from "svelte/elements";
type Attributes = SvelteHTMLElements["visavis-avatar"];
export const good: Attributes = { "context-id": "ctx", variant: "inline", transparent: true, "padding-left": 0.2, lang: "ko",
  class: "x", "onvisavis-error": (event) => event.detail.code.length };
// @ts-expect-error there is no such variant
export const bad: Attributes = { variant: "round" };`,
  solid: `/** @jsxImportSource solid-js */
export const good = <visavis-avatar context-id="ctx" variant="inline" transparent attr:padding-left={0.2} lang="ko" class="x"
  on:visavis-error={(event) => event.detail.code.length} ref={(element) => void element.start()} />;
// @ts-expect-error there is no such variant
export const bad = <visavis-avatar variant="round" />;`,
};

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(declarations)) writeFileSync(join(folder, `${name}.d.ts`), text);
  for (const [name, text] of Object.entries(uses))
    writeFileSync(join(folder, `use-${name}.tsx`), `${text}\nimport type {} from "./${name}.d.ts";\n`);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The compiler's complaints about the uses. */
function faultsOf(): string[] {
  const program = ts.createProgram({
    rootNames: [
      ...Object.keys(uses).map((name) => join(folder, `use-${name}.tsx`)),
      resolve("src/widget/assets.d.ts"),
    ],
    options: {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
      types: [],
      jsx: ts.JsxEmit.ReactJSX,
      allowImportingTsExtensions: true,
      useDefineForClassFields: false,
      paths: { visavis: [resolve("src/widget/index.ts")] },
    },
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const name = file ? basename(file.fileName) : "";
    return `${name}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}

it(
  "React, Vue, Svelte and Solid know the element, its attributes and its events",
  { timeout: 120_000 },
  () => {
    expect(faultsOf()).toEqual([]);
  },
);
