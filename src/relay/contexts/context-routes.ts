import { Hono, type Context } from "hono";
import { variantSchema } from "../../protocol/settings/embed-config.ts";
import { recognizerOf } from "../../protocol/settings/voice-settings.ts";
import { backgroundPath } from "../assets/background.ts";
import { cachedJson, matchesEtag, toBase64 } from "../assets/cached-answer.ts";
import { normalizedOrigin } from "../../origins/origin-policy.ts";
import { toLauncherRecord, toPublicContext } from "./public-context.ts";
import { RelayError } from "../relay-error.ts";
import type { RelayScope } from "../relay-scope.ts";

/** How long browsers cache the public view: it is fetched on hover and needed on click. */
const contextMaxAgeSec = 15;
const launcherMaxAgeSec = 60;
const pictureMaxAgeSec = 3_600;

const neverCached = { "Cache-Control": "no-store" };

async function stillAddress(scope: RelayScope, path: string | null): Promise<string | null> {
  const asset = path === null ? null : await scope.deps.assets.read(path);
  return asset && `data:${asset.contentType};base64,${toBase64(asset.body)}`;
}

/** A context's background picture. As public as the files of the public folder. Only addresses that the context names are fetched. */
async function backgroundAnswer(scope: RelayScope, c: Context): Promise<Response> {
  const context = await scope.context(c.req.raw, c.env, c.req.param("contextId") ?? "");
  if (!context.is_active) throw RelayError.contextInactive();
  const background = await scope.catalogue.background(context.background_image);
  const picture = background && (await scope.pictures.of(background));
  if (!picture) throw new RelayError("not_found", 404, "This context has no background picture.");
  const { body, contentType, etag } = picture;
  const headers = {
    ETag: etag,
    "Cache-Control": `public, max-age=${pictureMaxAgeSec}`,
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  if (matchesEtag(c.req.raw, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "Content-Type": contentType } });
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
    const [style, background, recognizer] = await Promise.all([
      scope.catalogue.style(context.model_style),
      scope.catalogue.background(context.background_image),
      scope.catalogue.recognizer(recognizerOf(context.embed_config)),
    ]);
    const address = (path: string) => scope.address(c.req.raw, path);
    const picture = background && backgroundPath(background, context.context_id);
    const { direct } = scope.deps;
    const view = toPublicContext(context, { style, background: picture, direct, recognizer, address });
    return cachedJson(c.req.raw, view, contextMaxAgeSec);
  });

  routes.get("/contexts/:contextId/background", (c) => backgroundAnswer(scope, c));

  // The launcher's record is the same for every page of a language, a mode, a variant and a kind of browser, so that any cache may keep it.
  // Whether the page may use the context is checked when it asks for the context.
  routes.get("/contexts/:contextId/launcher", async (c) => {
    const context = await scope.context(c.req.raw, c.env, c.req.param("contextId"));
    scope.admitsPage(c.req.raw, context, normalizedOrigin(c.req.header("origin") ?? ""));
    if (!context.is_active) throw RelayError.contextInactive();
    const [style, recognizer, { widget }] = await Promise.all([
      scope.catalogue.style(context.model_style),
      scope.catalogue.recognizer(recognizerOf(context.embed_config)),
      scope.builtFiles(),
    ]);
    const still = await stillAddress(scope, style.porthole);
    // A longer one is no language tag.
    const pageLanguage = (c.req.query("lang") ?? "").slice(0, 35);
    const inWriting = c.req.query("mode") === "text";
    const record = toLauncherRecord(context, {
      style,
      still,
      widget: `/${widget}`,
      pageLanguage,
      inWriting,
      hasPeers: c.req.query("peers") !== "false",
      recognizer,
      pageVariant: variantSchema.safeParse(c.req.query("variant")).data,
      address: (path) => scope.address(c.req.raw, path),
    });
    return cachedJson(c.req.raw, record, launcherMaxAgeSec);
  });

  // The viewer asks whether the page around it may use the context. It learns nothing about other origins.
  routes.get("/contexts/:contextId/parent", async (c) => {
    const context = await scope.context(c.req.raw, c.env, c.req.param("contextId"));
    const origin = normalizedOrigin(c.req.query("origin") ?? "");
    return c.json({ allowed: scope.admitsPage(c.req.raw, context, origin) }, 200, neverCached);
  });

  return routes;
}
