import { formResourcesSchema } from "../../protocol/console/form-resources.ts";
import type { ApiClient } from "../api/api-client.ts";

/** The pictures of a face. Null where its entry of the catalogue has none. */
export interface FacePictures {
  readonly poster: string | null;
  readonly porthole: string | null;
}

/** Faces by the name of the model style. */
export type Faces = ReadonlyMap<string, FacePictures>;

/** The faces that avatars can have. Throws ApiError. */
export async function loadFaces(api: ApiClient, signal: AbortSignal): Promise<Faces> {
  const path = "/api/console/b2c/form-resources/";
  const resources = await api.request(path, { schema: formResourcesSchema, signal });
  return new Map(
    resources.model_styles.map(({ name, files }): [string, FacePictures] => {
      const picture = (part: string): string | null => files.find((file) => file.name === part)?.file ?? null;
      return [name, { poster: picture("poster"), porthole: picture("porthole") }];
    }),
  );
}
