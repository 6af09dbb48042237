import { drawnTemplateSchema } from "../../protocol/drawn-template.ts";
import { publicPath } from "../../protocol/public-path.ts";

/**
 * The address of the character that a `template` message names: the relay serves it as it serves the context's own. Null if there is
 * none that browsers can reach. `session`: the address of the session at the relay.
 */
export function changedCharacter(data: unknown, session: string): string | null {
  const files = drawnTemplateSchema.safeParse(data).data?.files ?? [];
  const path = publicPath(files.find(({ name }) => name === "character")?.file);
  // A session's address is …/embed/v1/sessions/<id>.
  return path && new URL(`../../../${path}`, new URL(session, location.href)).href;
}
