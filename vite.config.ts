import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { litWithoutMarkup } from "./config/lit-without-markup.ts";
import packageJson from "./package.json" with { type: "json" };

/** The entries whose source stands: a build of one part does not wait for the others. */
function standing(entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(path)));
}

/**
 * Without preloads there is nothing to preload: a dynamic import is just that. Vite's own wrapper around each would cost
 * more than half a kilobyte before the first frame.
 */
const plainImports: Plugin = {
  name: "plain-imports",
  enforce: "pre",
  load: (id) =>
    id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : undefined,
};

/**
 * Everything a browser loads: hashed modules under `dist/public/assets/`, the pages, and the manifest that tells the
 * relay their names. Addresses are relative to the module that names them, so that a page of any origin can import
 * the widget from the relay.
 */
const browser: UserConfig = {
  base: "./",
  // Parsing is on the way to the first frame, and this does the same in a tenth of the bytes.
  resolve: { alias: { "zod/mini": resolve(import.meta.dirname, "src/protocol/small-zod.ts") } },
  publicDir: "public",
  plugins: [plainImports, litWithoutMarkup(import.meta.dirname)],
  build: {
    outDir: "dist/public",
    target: "es2022",
    sourcemap: true,
    manifest: true,
    modulePreload: false,
    // Fonts and pictures stay files: a strict page allows no data: address.
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What the widget needs at once is one file: no chain of requests between the hover and the button. What
          // only the viewer needs stays out of it.
          groups: [
            {
              name: "core",
              tags: ["$initial"],
              test: /\/src\/(?:client|stage|widget|protocol\/(?!element-contract|viewer-message))|\/node_modules\//,
            },
            // And what comes after the first frame is one file too, though later views take parts of it.
            {
              name: "chrome",
              test: /\/src\/widget\/(?:panel\/(?:chrome|panel-parts|top-bar|badge|caption|controls|live-regions|toolbar)|styles\/(?:icons|fonts))/,
            },
          ],
        },
      },
      input: standing({
        widget: "src/widget/define.ts",
        viewer: "src/viewer/viewer.ts",
        demo: "index.html",
        console: "console.html",
      }),
    },
  },
};

/** The loader: one plain script at an address that never changes. */
const embed: UserConfig = {
  publicDir: false,
  build: {
    outDir: "dist/public",
    emptyOutDir: false,
    target: "es2022",
    // The map lies beside the loader, but a page's visitors do not fetch the line that names it.
    sourcemap: "hidden",
    reportCompressedSize: false,
    rolldownOptions: {
      input: "src/embed/embed.ts",
      output: { format: "iife", entryFileNames: "embed.js" },
    },
  },
};

/** The command line and the child processes it forks; packages stay outside and are found in node_modules. */
const server: UserConfig = {
  publicDir: false,
  ssr: { external: Object.keys(packageJson.dependencies) },
  build: {
    ssr: true,
    outDir: "dist/server",
    target: "node20",
    sourcemap: true,
    rolldownOptions: {
      input: standing({
        main: "src/main.ts",
        "media-process": "src/service/media/media-process.ts",
        "audio-worker": "src/service/speech/audio-worker.ts",
        "espeak-worker": "src/service/speech/espeak-worker.ts",
        "flite-worker": "src/service/speech/flite-worker.ts",
        "sherpa-process": "src/service/speech/sherpa-process.ts",
      }),
      output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
    },
  },
};

/** What `import "visavis"` and its like get in a browser: plain modules that the importing page's own build takes on. */
const elementPackage: UserConfig = {
  base: "./",
  resolve: browser.resolve!,
  publicDir: false,
  build: {
    outDir: "dist/package",
    target: "es2022",
    minify: false,
    cssMinify: true,
    reportCompressedSize: false,
    lib: {
      entry: { element: "src/widget/index.ts", client: "src/client/index.ts", stage: "src/stage/index.ts" },
      formats: ["es"],
    },
    rolldownOptions: {
      // One lit for the whole page, and in Node the one that draws nothing.
      external: /^lit($|\/)/,
      output: { chunkFileNames: "chunks/[name].js", assetFileNames: "assets/[name][extname]" },
    },
  },
};

/** What `import "visavis/relay"` gets on a server. */
const relayPackage: UserConfig = {
  publicDir: false,
  ssr: { external: Object.keys(packageJson.dependencies) },
  build: {
    ssr: true,
    outDir: "dist/package",
    emptyOutDir: false,
    target: "es2022",
    minify: false,
    rolldownOptions: {
      input: { relay: "src/relay/index.ts", "relay-node": "src/relay/node.ts" },
      output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name].js" },
    },
  },
};

const modes: Record<string, UserConfig> = {
  browser,
  embed,
  server,
  "package-element": elementPackage,
  "package-relay": relayPackage,
};

/** Without a mode of ours it is the browser's build, which is also what the development server serves. */
export default defineConfig(({ mode }) => modes[mode] ?? browser);
