/** Writes the custom-elements manifest into the package, and from it the types for React, Vue, Svelte and Solid. */
import { mkdirSync, writeFileSync } from "node:fs";
import { elementManifest } from "./element-manifest.ts";
import { frameworkTypes } from "./framework-types.ts";

const folder = "dist/package";
const manifest = elementManifest(`${folder}/element.js`);
writeFileSync(`${folder}/custom-elements.json`, `${JSON.stringify(manifest, null, 2)}\n`);
mkdirSync(`${folder}/frameworks`, { recursive: true });
for (const [name, text] of Object.entries(frameworkTypes(manifest)))
  writeFileSync(`${folder}/frameworks/${name}.d.ts`, text);
