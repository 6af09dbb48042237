import { readFileSync } from "node:fs";

/** Size budgets in brotli bytes; the files that an entry loads before it runs are read from the build's manifest. */
const root = "dist/public";
const manifest = JSON.parse(readFileSync(`${root}/.vite/manifest.json`, "utf8"));

const consoleManifest = JSON.parse(readFileSync("dist/console/.vite/manifest.json", "utf8"));

function closure(entry, seen = new Set(), chunks = manifest) {
  const chunk = chunks[entry];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  chunk.css?.forEach((file) => seen.add(file));
  chunk.imports?.forEach((name) => closure(name, seen, chunks));
  return seen;
}

const pathsOf = (entry) => [...closure(entry)].map((file) => `${root}/${file}`);
const widget = pathsOf("src/widget/define.ts");
/** Loaded ahead when the visitor reaches for the launcher: that may be before the first frame too. */
const ahead = pathsOf("src/widget/launcher/launcher-extras.ts");

/** What draws an avatar in the browser, without what every page has. */
const drawingBy = (look) =>
  pathsOf(`src/widget/drawing/local/${look}-look.ts`).filter((path) => !widget.includes(path));
const drawing = drawingBy("drawn");
/** What a photographed face needs in place of what draws the others. */
const photographed = drawingBy("photo/photo").filter((path) => !drawing.includes(path));

/** The files that the console has loaded when one of its pages stands, with its texts, without pictures and fonts. */
function consolePathsOf(page, ...texts) {
  const seen = closure("console.html", new Set(), consoleManifest);
  for (const module of [page, ...texts.map((part) => `src/console/texts/en/${part}.ts`)]) {
    if (!consoleManifest[module]) throw new Error(`The console's build has no chunk ${module}.`);
    closure(module, seen, consoleManifest);
  }
  return [...seen].map((file) => `dist/console/${file}`);
}

export default [
  {
    name: "the visitor's voice, on intent",
    path: [`${root}/assets/voice*.js`, `${root}/assets/fvad*.wasm`],
    brotli: true,
    limit: "40 kB",
  },
  { name: "loader", path: `${root}/embed.js`, brotli: true, limit: "2.6 kB" },
  {
    name: "everything until the first frame",
    path: [`${root}/embed.js`, ...widget],
    brotli: true,
    limit: "33 kB",
  },
  {
    name: "the same with what the launcher gets when the visitor reaches for it",
    path: [...new Set([`${root}/embed.js`, ...widget, ...ahead])],
    brotli: true,
    limit: "38.35 kB",
  },
  {
    name: "the avatar drawn in the browser, on intent",
    path: [...drawing, `${root}/characters/mina.json`],
    brotli: true,
    limit: "45.55 kB",
  },
  {
    name: "what draws a photographed face in place of the drawn ones",
    path: photographed,
    brotli: true,
    limit: "14 kB",
  },
  {
    name: "the console's first view",
    path: consolePathsOf("src/console/overview/overview-page.ts", "overview"),
    brotli: true,
    limit: "60.45 kB",
  },
  {
    name: "the console's editor, without the widget",
    path: [
      ...new Set([
        ...consolePathsOf("src/console/editor/editor-page.ts", "editor"),
        ...consolePathsOf("preview.html"),
      ]),
    ],
    brotli: true,
    limit: "120 kB",
  },
];
