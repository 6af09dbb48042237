import { formResourcesSchema } from "../../../protocol/console/form-resources.ts";
import type { ReadableCatalogue } from "../../engines/available-catalogue.ts";
import type { PublicFiles } from "../../sessions/connection/public-files.ts";
import { operation, type Operation } from "../operations/operation.ts";

/** What an embed context can consist of, for the form that edits it (interface specification, Embed contexts). */
export function formResourceRoutes(catalogue: ReadableCatalogue, files: PublicFiles): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/api/console/b2c/form-resources/",
      id: "listFormResources",
      tag: "Embed contexts",
      summary: "List what an embed context can consist of",
      auth: "console",
      answer: { status: 200, description: "The options", schema: formResourcesSchema },
      async handler({ caller: { organizationId } }) {
        const styles = await catalogue.list("model_style", organizationId);
        const images = await catalogue.list("background_image", organizationId);
        return {
          tts_types: await catalogue.list("tts_type", organizationId),
          model_styles: styles.map((style) => files.modelStyle(style)),
          background_images: images.map((image) => files.backgroundImage(image)),
        };
      },
    }),
  ];
}
