import type * as client from "../../src/client/index.ts";
import type * as puppet from "../../src/puppet/index.ts";
import type * as stage from "../../src/stage/index.ts";
import { build } from "vite";

declare global {
  interface Window {
    visavisClient: typeof client;
    visavisPuppet: typeof puppet;
    visavisStage: typeof stage;
  }
}

const names = { client: "visavisClient", puppet: "visavisPuppet", stage: "visavisStage" } as const;

/** One of the source folders as a script for a page, which leaves the folder's exports in `window.visavis…`. */
export async function pageScript(folder: keyof typeof names): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    publicDir: false,
    build: {
      write: false,
      minify: false,
      lib: { entry: `src/${folder}/index.ts`, name: names[folder], formats: ["iife"] },
    },
  });
  for (const bundle of [result].flat()) if ("output" in bundle) return bundle.output[0].code;
  throw new Error(`The bundle of src/${folder} has no output.`);
}
