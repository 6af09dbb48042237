import type { ModelStyle } from "../../protocol/catalogue.ts";
import type { FoundTemplate, WantedTemplate } from "../media/media-engine.ts";
import type { SessionRecord } from "../store/store.ts";
import type { PublicFiles } from "./public-files.ts";
import type { SessionDependencies } from "./session-dependencies.ts";

/** The style of a catalogue that the request means: `dress` names a style of the same model, or a complete model style. */
function meantStyle(
  styles: readonly ModelStyle[],
  named: ModelStyle | null,
  dress: string | undefined,
): ModelStyle | null {
  if (dress === undefined || named === null) return named;
  const sameModel = styles.filter(({ model }) => model === named.model);
  return sameModel.find((style) => style.style === dress || style.name === dress) ?? null;
}

/**
 * The look that a `set-template` request names. Without a model, it is the model that the session was created with. Null when the
 * catalogue of the session's organization has no such style.
 */
export async function wantedTemplate(
  { store }: Pick<SessionDependencies, "store">,
  files: PublicFiles,
  session: SessionRecord,
  { model, dress }: WantedTemplate,
): Promise<FoundTemplate | null> {
  const name = model ?? (await store.sessions.detail(session.id))?.request.model_style;
  if (name === undefined) return null;
  const { organizationId } = session;
  const named = await store.catalogue.find("model_style", organizationId, name);
  const styles = dress === undefined ? [] : await store.catalogue.list("model_style", organizationId);
  const style = meantStyle(styles, named, dress);
  if (!style) return null;
  const drawn = { model_style: style.name, files: files.modelStyle(style).files };
  return { characterFile: await files.characterFile(style), drawn };
}
