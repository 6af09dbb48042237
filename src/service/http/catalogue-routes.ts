import type { Hono } from "hono";
import { Fault } from "../fault.ts";
import type { PublicFiles } from "../sessions/public-files.ts";
import type { Store } from "../store/store.ts";
import type { ApiKeyCheck } from "./api-key-check.ts";
import { pathPart, route } from "./routing.ts";

/** What sessions can name (interface specification, Session resources; wire conventions, Operations). */
export function catalogueRoutes(
  app: Hono,
  { catalogue }: Store,
  files: PublicFiles,
  checkApiKey: ApiKeyCheck,
): void {
  const list = (path: string, read: (organizationId: string) => Promise<unknown[]>) =>
    route(app, path, {
      GET: async (context) => {
        const { organizationId } = await checkApiKey(context.req.raw.headers);
        return context.json(await read(organizationId));
      },
    });
  list("/api/v1/settings/modelstyle/", async (organizationId) =>
    (await catalogue.list("model_style", organizationId)).map((style) => files.modelStyle(style)),
  );
  list("/api/v1/settings/tts_type/", (organizationId) => catalogue.list("tts_type", organizationId));
  list("/api/v1/settings/llm_type/", (organizationId) => catalogue.list("llm_type", organizationId));
  list("/api/v1/prompt/", (organizationId) => catalogue.list("prompt", organizationId));
  list("/api/v1/background_image/", async (organizationId) =>
    (await catalogue.list("background_image", organizationId)).map((image) => files.backgroundImage(image)),
  );
  route(app, "/api/v1/background_image/:id/", {
    GET: async (context) => {
      const { organizationId } = await checkApiKey(context.req.raw.headers);
      const image = await catalogue.find("background_image", organizationId, pathPart(context, "id"));
      if (image === null) throw Fault.notFound();
      return context.json(files.backgroundImage(image));
    },
  });
}
