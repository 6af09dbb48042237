import { Hono, type Context } from "hono";
import { matchesEtag } from "./cached-answer.ts";
import { publicPath } from "./public-path.ts";
import type { RelayScope } from "./relay-scope.ts";

const hashedAsset = /^\/assets\/([A-Za-z0-9_-][A-Za-z0-9_.-]*)$/;

const immutable = "public, max-age=31536000, immutable";
/** The loader's address never changes, so pages ask again soon and mostly hear 304. */
const loaderCaching = "public, max-age=300, stale-while-revalidate=86400";
const pictureCaching = "public, max-age=3600, stale-while-revalidate=86400";

/** A built file, compressed where the browser takes it; null where there is none. */
async function serveAsset(scope: RelayScope, c: Context, path: string, caching: string): Promise<Response> {
  const asset = await scope.deps.assets.read(path);
  if (!asset) return c.notFound();
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

/** /embed.js, /widget.js, the hashed modules and the pictures. */
export function assetRoutes(scope: RelayScope): Hono {
  const routes = new Hono();
  routes.get("/embed.js", (c) => serveAsset(scope, c, "embed.js", loaderCaching));

  // The widget for a loader that has no launcher record to learn its name from.
  routes.get("/widget.js", async (c) => {
    const { widget } = await scope.builtFiles();
    c.header("Cache-Control", "public, max-age=60");
    return c.redirect(`${scope.mountPath()}/${widget}`, 302);
  });

  routes.get("/assets/*", (c) => {
    const name = hashedAsset.exec(ownPath(scope, c))?.[1];
    return name === undefined ? c.notFound() : serveAsset(scope, c, `assets/${name}`, immutable);
  });
  for (const folder of ["characters", "backgrounds", "stills"]) {
    routes.get(`/${folder}/*`, (c) => {
      const path = publicPath(ownPath(scope, c));
      return path === null ? c.notFound() : serveAsset(scope, c, path, pictureCaching);
    });
  }
  return routes;
}
