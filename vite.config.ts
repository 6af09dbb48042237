import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from "vite";
import { bundledLicenses } from "./config/bundled-licenses.ts";
import { browserEntries, serverEntries } from "./config/package-entries.ts";
import { litWithoutMarkup } from "./config/lit-without-markup.ts";
import { packCharacter } from "./src/puppet/format/pack-character.ts";
import packageJson from "./package.json" with { type: "json" };

/** The entries whose source stands: a build of one part does not wait for the others. */
function standing(entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(path)));
}

/** How Vite wraps a dynamic import, with the names that are taken from its module or without. */
const wrappedImport =
  /__vitePreload\((?:async \(\) => \{\s*const \{[^}]*\} = await (import\([^;]*);\s*return \{[^}]*\};\s*\}|\(\) => (import\([^;]*?)), __VITE_PRELOAD__, import\.meta\.url\)/g;

/**
 * Without preloads there is nothing to preload: a dynamic import is just that. Vite's own wrapper around each would cost
 * more than half a kilobyte before the first frame. An import of another form keeps its wrapper, which does nothing.
 */
const plainImports: Plugin = {
  name: "plain-imports",
  enforce: "pre",
  load: (id) =>
    id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : undefined,
  renderChunk: (code) => ({
    // The lines stay where the source map says.
    code: code.replace(wrappedImport, (wrapped: string, taken?: string, whole?: string) =>
      [taken ?? whole, ...(wrapped.match(/\n/g) ?? [])].join(""),
    ),
    map: null,
  }),
};

/** The bundler's own loop over a module's exports takes along what the host page has added to `Object.prototype`, and fails on it. */
const ownExports: Plugin = {
  name: "own-exports",
  renderChunk: (code) => ({
    code: code.replace(/for \(var name in all\)/g, "for (var name of Object.keys(all))"),
    map: null,
  }),
};

/**
 * A schema that nothing uses costs no bytes: marks each call that makes one as free of side effects. Bundlers see that of
 * functions (`small-zod.ts` says so), but not of the method `check`.
 */
const unusedSchemas: Plugin = {
  name: "unused-schemas",
  enforce: "pre",
  transform: (code, id) =>
    id.includes("/src/protocol/") && !id.endsWith("small-zod.ts")
      ? { code: code.replace(/(?<![\w.])z(?=\s*\.\w+\()/g, "/* @__PURE__ */ z"), map: null }
      : undefined,
};

/** Browsers and the service get the built-in characters with fewer bytes. */
const packedCharacters: Plugin = {
  name: "packed-characters",
  async closeBundle() {
    const folder = "dist/public/characters";
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
      const character: unknown = JSON.parse(await readFile(join("public/characters", name), "utf8"));
      await writeFile(join(folder, name), JSON.stringify(packCharacter(character)));
    }
  },
};

/** Which modules are in one file, though not all that need one of them need the others. */
const groups: Rolldown.CodeSplittingGroup[] = [
  // What the widget needs at once is one file: no chain of requests between the hover and the button. What
  // only the viewer needs stays out of it.
  {
    name: "core",
    priority: 2,
    tags: ["$initial"],
    test: /\/src\/(?:client|stage|widget|protocol\/(?!page\/(?:element-contract|viewer-message)|settings\/drawing-settings|speech\/timed-viseme))|\/node_modules\//,
  },
  // What the launcher's extras share with the controls comes when the visitor reaches for the launcher.
  {
    name: "shared",
    priority: 1,
    test: /\/src\/(?:widget\/styles\/(?:icons|fonts)|protocol\/settings\/launcher-hint)/,
  },
  // What any avatar that is drawn here needs is one file. What draws its kind is loaded beside it, and takes some of it. What measures
  // the delay of its sound comes when the face is there.
  {
    name: "drawing-choice",
    test: /\/src\/(?:widget\/drawing\/(?!bring-video|local\/(?:drawn|photo|sound-delay|envelope-match|speech-reader))|puppet\/(?:behaviour|math|format\/rig-settings))/,
  },
  // And what comes after the first frame is one file too, though later views take parts of it.
  {
    name: "chrome",
    test: /\/src\/widget\/(?:panel\/(?:chrome|panel-parts|controls\/(?:badge|controls)|live\/(?:announcement|caption)))/,
  },
];

/**
 * Everything a browser loads: hashed modules under `dist/public/assets/`, the pages, and the manifest that tells the
 * relay their names. Addresses are relative to the module that names them, so that a page of any origin can import
 * the widget from the relay.
 */
const browser: UserConfig = {
  base: "./",
  // Parsing is on the way to the first frame, and this does the same in a tenth of the bytes.
  resolve: { alias: { "zod/mini": resolve(import.meta.dirname, "src/protocol/schema/small-zod.ts") } },
  publicDir: "public",
  plugins: [
    plainImports,
    ownExports,
    unusedSchemas,
    litWithoutMarkup(import.meta.dirname),
    bundledLicenses,
    packedCharacters,
  ],
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
      // Their modules only define. So whoever imports one name from the folder's index gets no chunk with all the others.
      treeshake: { moduleSideEffects: [{ test: /\/src\/(?:puppet|photo)\//, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups,
        },
      },
      input: standing({
        widget: "src/widget/define.ts",
        viewer: "src/viewer/viewer.ts",
        demo: "index.html",
      }),
    },
  },
};

/** The loader: one plain script at an address that never changes. */
const embed: UserConfig = {
  publicDir: false,
  plugins: [bundledLicenses],
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

/** The scripts that speech engines run in worker threads and child processes, by their file names. */
function engineScripts(): Record<string, string> {
  const folder = "src/service/speech/engines";
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const found = paths.filter((path) => /-(?:worker|process)\.ts$/.test(path));
  return Object.fromEntries(found.map((path) => [basename(path, ".ts"), join(folder, path)]));
}

/**
 * Lets zod make no functions from text: it would try that as soon as a schema is made, and a strict page reports it as an attack.
 * Setting it in our own code would come too late, because the modules of the schemas run first.
 */
const zodWithoutFunctions: Plugin = {
  name: "zod-without-functions",
  transform(code, id) {
    if (!id.endsWith("/zod/v4/core/core.js")) return null;
    const changed = code.replace(/(__zod_globalConfig = )\{\}/, "$1{ jitless: true }");
    if (changed === code) this.error("zod has changed: adapt zodWithoutFunctions in vite.config.ts.");
    return { code: changed, map: null };
  },
};

/** Leaves out of zod how schemas are written as JSON Schema: the console only parses, and its first view would be 4 KB larger. */
const zodWithoutJsonSchema: Plugin = {
  name: "zod-without-json-schema",
  transform(code, id) {
    if (!id.endsWith("/zod/v4/classic/schemas.js")) return null;
    const changed = code
      .replace(/^ *inst\._zod\.processJSONSchema = .*;$/gm, "")
      .replace(/create(?:Standard|To)JSONSchemaMethod\(this, [^)]*\)(?:\(params\))?/g, "undefined");
    if (changed === code) this.error("zod has changed: adapt zodWithoutJsonSchema in vite.config.ts.");
    return { code: changed, map: null };
  },
};

/**
 * The owner's console. It parses with zod itself, because its schemas say where a value is wrong, so it shares no module with the
 * widget.
 */
const consoleApplication: UserConfig = {
  base: "./",
  publicDir: false,
  plugins: [zodWithoutFunctions, zodWithoutJsonSchema, unusedSchemas, bundledLicenses],
  build: {
    outDir: "dist/console",
    target: "es2022",
    sourcemap: true,
    manifest: true,
    modulePreload: { polyfill: false },
    // A strict page allows no data: address of a font.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: ["console.html", "preview.html", "photo-maker.html"] },
  },
};

/** The weights of the sentence encoder lie beside the script that reads them, with their licence. */
const sentenceEncoder: Plugin = {
  name: "sentence-encoder",
  async generateBundle() {
    const folder = "src/service/knowledge/meaning";
    for (const [file, fileName] of [
      ["english-encoder.bin", "english-encoder.bin"],
      ["english-encoder-license.txt", "licenses/universal-sentence-encoder-lite.txt"],
    ] as const)
      this.emitFile({ type: "asset", fileName, source: await readFile(join(folder, file)) });
  },
};

/**
 * The command line and the child processes it forks. `dependencies` of package.json stay outside: what is native or WebAssembly, or has no
 * licence file. All other packages are taken in, so that operators install 22 packages and not 217, and the program starts sooner.
 */
const server: UserConfig = {
  publicDir: false,
  plugins: [bundledLicenses, sentenceEncoder],
  ssr: { noExternal: true, external: Object.keys(packageJson.dependencies) },
  build: {
    ssr: true,
    outDir: "dist/server",
    target: "node20",
    sourcemap: true,
    rolldownOptions: {
      input: standing({
        main: "src/main.ts",
        "media-process": "src/service/media/media-process.ts",
        "photo-worker": "src/service/media/photo/photo-worker.ts",
        "turn-probe-process": "src/service/media/turn-probe-process.ts",
        "audio-worker": "src/service/speech/audio/audio-worker.ts",
        "reading-worker": "src/service/administration/knowledge/reading/reading-worker.ts",
        "encoder-worker": "src/service/knowledge/meaning/encoder-worker.ts",
        ...engineScripts(),
      }),
      output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
    },
  },
};

/** What `import "visavis"` gets in a browser: plain modules that the importing page's own build takes on. */
const elementPackage: UserConfig = {
  base: "./",
  resolve: browser.resolve!,
  publicDir: false,
  plugins: [ownExports, bundledLicenses],
  build: {
    outDir: "dist/packages/visavis/modules",
    target: "es2022",
    minify: false,
    cssMinify: true,
    reportCompressedSize: false,
    lib: { entry: browserEntries, formats: ["es"] },
    rolldownOptions: {
      // One lit for the whole page, and in Node the one that draws nothing.
      external: /^lit($|\/)/,
      output: {
        chunkFileNames: "chunks/[name].js",
        assetFileNames: "assets/[name][extname]",
        comments: { jsdoc: false },
      },
    },
  },
};

/**
 * What `import "visavis/relay"` gets on a server: it brings its dependencies, so that the package stays small. Names stay, so that an
 * error's stack can be read.
 */
const relayPackage: UserConfig = {
  publicDir: false,
  plugins: [zodWithoutFunctions, zodWithoutJsonSchema, unusedSchemas, bundledLicenses],
  // Not what packages offer to Node: it also runs where there is none.
  ssr: { noExternal: true, resolve: { conditions: ["module", "production"] } },
  build: {
    ssr: true,
    outDir: "dist/packages/visavis/modules",
    emptyOutDir: false,
    target: "es2022",
    minify: false,
    rolldownOptions: {
      input: serverEntries,
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name].js",
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      },
    },
  },
};

const modes: Record<string, UserConfig> = {
  browser,
  embed,
  console: consoleApplication,
  server,
  "package-element": elementPackage,
  "package-relay": relayPackage,
};

/** Without a mode of ours it is the browser's build, which is also what the development server serves. */
export default defineConfig(({ mode }) => modes[mode] ?? browser);
