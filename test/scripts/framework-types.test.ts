import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { elementManifest } from "../../scripts/element-manifest.ts";
import { frameworkTypes } from "../../scripts/framework-types.ts";
import { frameworkUses } from "./framework-uses.ts";

/** Inside the repository, so that the frameworks' own types are found. */
const folder = resolve("test-results", `framework-types-${process.pid}`);
const declarations = frameworkTypes(elementManifest("modules/element.js"));

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(declarations)) writeFileSync(join(folder, `${name}.d.ts`), text);
  for (const [name, text] of Object.entries(frameworkUses))
    writeFileSync(join(folder, `use-${name}.tsx`), `${text}\nimport type {} from "./${name}.d.ts";\n`);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The compiler's errors for the uses. */
function faultsOf(): string[] {
  const program = ts.createProgram({
    rootNames: [
      ...Object.keys(frameworkUses).map((name) => join(folder, `use-${name}.tsx`)),
      resolve("src/widget/assets.d.ts"),
      resolve("src/client/voice/activity/assets.d.ts"),
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

it("the types for React, Vue, Svelte and Solid have the element, its attributes and its events", () => {
  expect(faultsOf()).toEqual([]);
});
