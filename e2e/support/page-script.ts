import type * as client from "../../src/client/index.ts";
import type * as photo from "../../src/widget/drawing/local/photo/photo-look.ts";
import type * as puppet from "../../src/puppet/index.ts";
import type * as stage from "../../src/stage/index.ts";
import { build } from "vite";

declare global {
  interface Window {
    visavisClient: typeof client;
    visavisPhoto: typeof photo;
    visavisPuppet: typeof puppet;
    visavisStage: typeof stage;
  }
}

const scripts = {
  client: ["visavisClient", "client/index.ts"],
  /** What draws photographed faces in the widget. */
  photo: ["visavisPhoto", "widget/drawing/local/photo/photo-look.ts"],
  puppet: ["visavisPuppet", "puppet/index.ts"],
  stage: ["visavisStage", "stage/index.ts"],
} as const;

/** A part of the source as a script for a page, which leaves the part's exports in `window.visavis…`. */
export async function pageScript(part: keyof typeof scripts): Promise<string> {
  const [name, entry] = scripts[part];
  const result = await build({
    configFile: false,
    logLevel: "silent",
    publicDir: false,
    build: {
      write: false,
      minify: false,
      lib: { entry: `src/${entry}`, name, formats: ["iife"] },
    },
  });
  for (const bundle of [result].flat()) if ("output" in bundle) return bundle.output[0].code;
  throw new Error(`The bundle of src/${entry} has no output.`);
}
