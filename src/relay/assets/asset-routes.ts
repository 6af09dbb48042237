import { Hono, type Context } from "hono";
import { loaderAddress, loaderVersionPattern } from "../../protocol/page/loader-address.ts";
import { publicPath } from "../../protocol/settings/public-path.ts";
import { matchesEtag } from "./cached-answer.ts";
import { isPhotoAsset } from "./photo-assets.ts";
import type { RelayAsset } from "../relay-deps.ts";
import type { RelayScope } from "../relay-scope.ts";

const hashedAsset = /^\/assets\/([A-Za-z0-9_-][A-Za-z0-9_.-]*)$/;

const immutable = "public, max-age=31536000, immutable";
/** The loader's address never changes, so browsers revalidate soon and mostly get 304. */
const loaderCaching = "public, max-age=300, stale-while-revalidate=86400";
const pictureCaching = "public, max-age=3600, stale-while-revalidate=86400";
/** A person's picture that was removed is gone from browsers after this time too. */
const photoCaching = "public, max-age=240, must-revalidate";

/** A built file, compressed if the browser accepts it. */
async function serveAsset(scope: RelayScope, c: Context, path: string, caching: string): Promise<Response> {
  const asset = await scope.deps.assets.read(path);
  return asset ? answerAsset(c, asset, caching) : c.notFound();
}

function answerAsset(c: Context, asset: RelayAsset, caching: string): Response {
  const brotli = /\bbr\b/.test(c.req.header("accept-encoding") ?? "") ? asset.brotli : undefined;
  const etag = brotli ? asset.etag.replace(/"$/, '-br"') : asset.etag;
  const headers = { ETag: etag, "Cache-Control": caching, Vary: "Accept-Encoding" };
  if (matchesEtag(c.req.raw, etag)) return new Response(null, { status: 304, headers });
  return new Response(brotli ?? asset.body, {
    headers: { ...headers, "Content-Type": asset.contentType, ...(brotli && { "Content-Encoding": "br" }) },
  });
}

/** The path a mounted relay sees under its own root. */
function ownPath(scope: RelayScope, c: Context): string {
  const mount = scope.mountPath();
  return mount !== "" && c.req.path.startsWith(`${mount}/`) ? c.req.path.slice(mount.length) : c.req.path;
}

async function versionOf({ body }: RelayAsset): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-384", body));
  return loaderAddress(btoa(String.fromCharCode(...digest))).version;
}

/** The loader of a version, from this build or an earlier one. Null if none has exactly that content. */
async function loaderOf({ deps: { assets } }: RelayScope, version: string): Promise<RelayAsset | null> {
  if (!loaderVersionPattern.test(version)) return null;
  for (const path of ["embed.js", `loaders/${version}.js`]) {
    const asset = await assets.read(path);
    if (asset && (await versionOf(asset)) === version) return asset;
  }
  return null;
}

/** /embed.js, /widget.js, the hashed modules and the pictures. */
export function assetRoutes(scope: RelayScope): Hono {
  const routes = new Hono();
  routes.get("/embed.js", (c) => serveAsset(scope, c, "embed.js", loaderCaching));

  // The loader by its content hash, for pages that check its integrity.
  routes.get("/embed/:version/embed.js", async (c) => {
    const asset = await loaderOf(scope, c.req.param("version"));
    return asset ? answerAsset(c, asset, immutable) : c.notFound();
  });

  // The widget for pages that know no hashed name. What is loaded later imports the hashed module, so it must be that one: after a
  // redirect, browsers would keep it under this address, and run it a second time.
  routes.get("/widget.js", async (c) => {
    const { widget } = await scope.builtFiles();
    const headers = {
      "Content-Type": "text/javascript; charset=UTF-8",
      "Cache-Control": "public, max-age=60",
    };
    return c.body(`import "./${widget}";\n`, 200, headers);
  });

  routes.get("/assets/*", (c) => {
    const name = hashedAsset.exec(ownPath(scope, c))?.[1];
    return name === undefined ? c.notFound() : serveAsset(scope, c, `assets/${name}`, immutable);
  });
  for (const folder of ["characters", "backgrounds", "stills"]) {
    routes.get(`/${folder}/*`, (c) => {
      const path = publicPath(ownPath(scope, c));
      if (path === null) return c.notFound();
      return serveAsset(scope, c, path, isPhotoAsset(path) ? photoCaching : pictureCaching);
    });
  }
  return routes;
}
