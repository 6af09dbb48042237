import { Hono } from "hono";
import { backgroundPath } from "./background.ts";
import { cachedJson, matchesEtag, toBase64 } from "./cached-answer.ts";
import { isOriginAllowed, normalizedOrigin } from "./origin-policy.ts";
import { toLauncherRecord, toPublicContext } from "./public-context.ts";
import { RelayError } from "./relay-error.ts";
import type { RelayScope } from "./relay-scope.ts";

/** The public view is fetched on hover and read on click: kept for that long. */
const contextMaxAgeSec = 15;
const launcherMaxAgeSec = 60;
const pictureMaxAgeSec = 3_600;

async function stillAddress(scope: RelayScope, path: string | null): Promise<string | null> {
  const asset = path === null ? null : await scope.deps.assets.read(path);
  return asset && `data:${asset.contentType};base64,${toBase64(asset.body)}`;
}

/** GET /contexts/{context_id}, …/launcher, …/parent: what a page may know before a session. */
export function contextRoutes(scope: RelayScope): Hono {
  const routes = new Hono();
  routes.use("/contexts/*", async (c, next) => {
    if (c.req.method !== "OPTIONS") await scope.countRead(c.req.raw, c.env);
    await next();
  });

  routes.get("/contexts/:contextId", async (c) => {
    const { context } = await scope.admittedContext(c.req.raw, c.env, c.req.param("contextId"));
    const [style, background] = await Promise.all([
      scope.catalogue.style(context.model_style),
      scope.catalogue.background(context.background_image),
    ]);
    const address = (path: string) => scope.address(c.req.raw, path);
    const picture = background && backgroundPath(background, context.context_id);
    const view = toPublicContext(context, { style, background: picture, direct: scope.deps.direct, address });
    return cachedJson(c.req.raw, view, contextMaxAgeSec);
  });

  // As public as the files of the public folder. Only what the context itself names: nobody else's address is fetched.
  routes.get("/contexts/:contextId/background", async (c) => {
    const context = await scope.context(c.req.raw, c.env, c.req.param("contextId"));
    if (!context.is_active) throw RelayError.contextInactive();
    const background = await scope.catalogue.background(context.background_image);
    const picture = background && (await scope.pictures.of(background));
    if (!picture) throw new RelayError("not_found", 404, "There is no picture to be passed on.");
    const { body, contentType, etag } = picture;
    const headers = {
      ETag: etag,
      "Cache-Control": `public, max-age=${pictureMaxAgeSec}`,
      "Cross-Origin-Resource-Policy": "cross-origin",
    };
    if (matchesEtag(c.req.raw, etag)) return new Response(null, { status: 304, headers });
    return new Response(body, { headers: { ...headers, "Content-Type": contentType } });
  });

  // The launcher's record is the same for every page, so that any cache may keep it; whether the page may go on is
  // said when it asks for the context.
  routes.get("/contexts/:contextId/launcher", async (c) => {
    const context = await scope.context(c.req.raw, c.env, c.req.param("contextId"));
    if (!context.is_active) throw RelayError.contextInactive();
    const [style, { widget }] = await Promise.all([
      scope.catalogue.style(context.model_style),
      scope.builtFiles(),
    ]);
    const still = await stillAddress(scope, style.porthole);
    return cachedJson(c.req.raw, toLauncherRecord(context, style, still, `/${widget}`), launcherMaxAgeSec);
  });

  // The viewer asks whether the page around it may talk with it; it learns nothing about other origins.
  routes.get("/contexts/:contextId/parent", async (c) => {
    const context = await scope.context(c.req.raw, c.env, c.req.param("contextId"));
    const origin = normalizedOrigin(c.req.query("origin") ?? "");
    const allowed = origin !== null && isOriginAllowed(context, origin, scope.ownOrigin(c.req.raw));
    return c.json({ allowed }, 200, { "Cache-Control": "no-store" });
  });

  return routes;
}
