import { readFile, stat } from "node:fs/promises";
import { backgroundFileName, backgroundFilePath, pictureMaxBytes } from "../../pictures/photo-file.ts";
import type { SessionRecord } from "../../store/store.ts";
import type { GuardedFetch } from "../../outbound/guarded-fetch.ts";
import type { PublicFiles } from "./public-files.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import type { ModelStyle } from "../../../protocol/catalogue.ts";
import type { FoundTemplate, WantedTemplate } from "../../media/media-engine.ts";

/** Time limit for fetching an image from another server. After that the image is not shown. */
const fetchTimeoutMs = 5_000;

type BackgroundDependencies = Pick<SessionDependencies, "store" | "files" | "outbound">;

/** The location of the session's background image, from its catalogue entry; null if it has none. */
export async function sessionBackgroundImage(
  { store }: Pick<SessionDependencies, "store">,
  organizationId: string,
  identifier: string | undefined,
): Promise<string | null> {
  if (identifier === undefined) return null;
  return (await store.catalogue.find("background_image", organizationId, identifier))?.image ?? null;
}

async function fileBytes(path: string): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > pictureMaxBytes) throw new Error(`The image is larger than ${pictureMaxBytes} bytes.`);
  return readFile(path);
}

async function fetchedBytes(fetch: GuardedFetch, address: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(address, {
    signal,
    timeoutMs: fetchTimeoutMs,
    maxBytes: pictureMaxBytes,
  });
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  await response.body?.cancel();
  throw new Error(`The image's address answered with status ${response.status}.`);
}

/**
 * The bytes of a session's background image: from the public folder, from the stored files, or fetched from the https address in
 * its catalogue entry. Null for any other image than the session's own, and when the image does not exist. Rejects when it cannot
 * be read.
 */
export async function sessionBackground(
  dependencies: BackgroundDependencies,
  published: PublicFiles,
  session: SessionRecord,
  image: string,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const { store, files, outbound } = dependencies;
  const identifier = (await store.sessions.detail(session.id))?.request.background_image;
  if (identifier === undefined) return null;
  const row = await store.catalogue.row("background_image", session.organizationId, identifier);
  if (row?.body.image !== image) return null;
  const id = row.body.backgroundimage_id;
  if (image === backgroundFilePath(id)) return files.read(backgroundFileName(id));
  if (image.startsWith("https://")) return fetchedBytes(outbound.address(row), image, signal);
  const path = published.path(image);
  return path === null ? null : fileBytes(path);
}

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

/** How often the store is asked, in ms. */
const everyMs = 3_000;

/** Finds the sessions of this process whose face was removed: a person has withdrawn consent, and must not be seen any longer. */
export class RemovedFaces {
  readonly #files: Pick<PublicFiles, "removedCharacters">;
  readonly #nowMs: () => number;
  /** The characters' paths, by session. */
  readonly #shown = new Map<string, string>();
  #askedMs = -Infinity;

  constructor(files: Pick<PublicFiles, "removedCharacters">, nowMs: () => number) {
    this.#files = files;
    this.#nowMs = nowMs;
  }

  /** The same files for one session: the character that it asks for last is the one that it shows. */
  of(sessionId: string, files: PublicFiles): PublicFiles {
    return {
      ...files,
      characterFile: async (style) => {
        const file = await files.characterFile(style);
        if (file !== null) this.#shown.set(sessionId, file);
        return file;
      },
    };
  }

  ended(sessionId: string): void {
    this.#shown.delete(sessionId);
  }

  /** The sessions that show a character that was removed. */
  async find(): Promise<string[]> {
    const nowMs = this.#nowMs();
    if (nowMs - this.#askedMs < everyMs) return [];
    this.#askedMs = nowMs;
    const removed = new Set(await this.#files.removedCharacters());
    if (removed.size === 0) return [];
    return [...this.#shown].filter(([, file]) => removed.has(file)).map(([sessionId]) => sessionId);
  }
}
