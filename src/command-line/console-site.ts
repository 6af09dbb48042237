import { createRequire } from "node:module";
import { dirname } from "node:path";
import { folderAssets } from "../relay/assets/folder-assets.ts";
import type { RelayAsset } from "../relay/index.ts";
import { type Context, Hono } from "hono";

/** The packages with the models that find faces and people in a photograph. */
const packages = ["face_mesh", "selfie_segmentation"] as const;

const modelFileName = /^[a-z_]+(?:\.[a-z]+)+$/;

type ReadFile = (file: string) => Promise<RelayAsset | null>;

/** The files of these packages, as they are installed. */
function modelFiles(): (name: string, file: string) => Promise<RelayAsset | null> {
  const { resolve } = createRequire(import.meta.url);
  const readers = new Map<string, ReadFile>();
  return (name, file) => {
    if (!packages.some((known) => known === name) || !modelFileName.test(file)) return Promise.resolve(null);
    let read = readers.get(name);
    if (!read) {
      const assets = folderAssets(dirname(resolve(`@mediapipe/${name}/package.json`)));
      read = (path) => assets.read(path);
      readers.set(name, read);
    }
    return read(file);
  };
}

/** Everything that the console loads comes from this server, and nothing is inline. Lit names its only policy for Trusted Types. */
const policy = [
  "default-src 'none'",
  // The preview's voice activity runs as WebAssembly.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html",
].join("; ");

const pageHeaders = {
  "Content-Security-Policy": policy,
  "Cache-Control": "no-cache",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "microphone=(self), autoplay=(self), camera=(), geolocation=()",
};

/** The console takes pictures for photo characters. */
const consoleHeaders = {
  ...pageHeaders,
  "Permissions-Policy": pageHeaders["Permissions-Policy"].replace("camera=()", "camera=(self)"),
};

/** The editor's preview: the console alone shows it in a frame, and it makes no markup. */
const previewHeaders = {
  ...pageHeaders,
  "Content-Security-Policy": policy
    .replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    .replace("trusted-types lit-html", "trusted-types 'none'"),
};

/**
 * The page that makes characters from photographs, in a frame. The models' scripts make functions from text, so it is a page of its
 * own that loads nothing else and may connect to nothing but this server.
 */
const photoMakerHeaders = {
  ...pageHeaders,
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self' 'unsafe-eval'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; "),
};

const fileName = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;

/** A page of the console: words and ids, and no file. */
const typedPath = /^(?:\/[A-Za-z0-9_-]{1,100}){1,4}\/?$/;

/** Whether the console answers this path. */
export const isConsolePath = (path: string): boolean => path === "/console" || path.startsWith("/console/");

/** Serves the built console of a folder at `/console/`. `/console/invitation` is the page that an invitation's link opens. */
export function consoleSite(folder: string): Hono {
  const assets = folderAssets(folder);
  const models = modelFiles();
  const site = new Hono({ strict: true });

  async function answer(context: Context, path: string, headers: Record<string, string>): Promise<Response> {
    const asset = await assets.read(path);
    if (!asset) return context.text("There is no such file.", 404);
    const brotli = /\bbr\b/.test(context.req.header("accept-encoding") ?? "") ? asset.brotli : undefined;
    const etag = brotli ? asset.etag.replace(/"$/, '-br"') : asset.etag;
    const common = { ...headers, ETag: etag, Vary: "Accept-Encoding" };
    if (context.req.header("if-none-match")?.includes(etag)) return context.body(null, 304, common);
    return context.body(brotli ?? asset.body, 200, {
      ...common,
      "Content-Type": asset.contentType,
      ...(brotli && { "Content-Encoding": "br" }),
    });
  }

  const page = async (context: Context): Promise<Response> =>
    (await assets.read("console.html"))
      ? answer(context, "console.html", consoleHeaders)
      : context.text("The console is not built. Run npm run build.", 503);

  site.get("/console", (context) => context.redirect("/console/", 308));
  site.get("/console/", page);
  site.get("/console/invitation", page);
  site.get("/console/preview", (context) => answer(context, "preview.html", previewHeaders));
  site.get("/console/photo-maker", (context) => answer(context, "photo-maker.html", photoMakerHeaders));
  site.get("/console/mediapipe/:package/:file", async (context) => {
    const asset = await models(context.req.param("package"), context.req.param("file"));
    if (!asset) return context.text("There is no such file.", 404);
    return context.body(asset.body, 200, {
      "Content-Type": asset.contentType,
      "Cache-Control": "public, max-age=86400",
      "X-Content-Type-Options": "nosniff",
    });
  });
  site.get("/console/assets/:name", (context) => {
    const name = context.req.param("name");
    if (!fileName.test(name)) return context.notFound();
    return answer(context, `assets/${name}`, {
      "Cache-Control": "public, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
    });
  });
  // The console's own pages stand behind a #: an address that was typed without it leads there.
  site.get("/console/*", (context, next) => {
    const path = context.req.path.slice("/console".length);
    if (!typedPath.test(path)) return next();
    return Promise.resolve(context.redirect(`/console/#${path.replace(/\/$/, "")}`, 302));
  });
  site.notFound((context) => context.text("There is no such page.", 404));
  return site;
}
