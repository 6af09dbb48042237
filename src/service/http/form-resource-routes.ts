import type { Hono } from "hono";
import { formResourcesSchema } from "../../protocol/console.ts";
import type { FormResources } from "../../protocol/console.ts";
import type { ReadableCatalogue } from "../available-catalogue.ts";
import type { PublicFiles } from "../sessions/public-files.ts";
import { operation } from "./operation.ts";
import { route } from "./routing.ts";

/** What a context may be made of, for the form that edits it (interface specification, Embed contexts). */
export function formResourceRoutes(app: Hono, catalogue: ReadableCatalogue, files: PublicFiles): void {
  route(app, "/api/console/b2c/form-resources/", {
    GET: operation(
      {
        id: "listFormResources",
        tag: "Embed contexts",
        summary: "List what an embed context may be made of",
        access: "console",
        answer: { status: 200, description: "The options", schema: formResourcesSchema },
      },
      async ({ caller: { organizationId } }): Promise<FormResources> => {
        const styles = await catalogue.list("model_style", organizationId);
        const images = await catalogue.list("background_image", organizationId);
        return {
          tts_types: await catalogue.list("tts_type", organizationId),
          model_styles: styles.map((style) => files.modelStyle(style)),
          background_images: images.map((image) => files.backgroundImage(image)),
        };
      },
    ),
  });
}
