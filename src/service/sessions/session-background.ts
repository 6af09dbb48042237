import { readFile, stat } from "node:fs/promises";
import { backgroundFileName, backgroundFilePath, pictureMaxBytes } from "../background-file.ts";
import type { SessionRecord } from "../store/store.ts";
import type { PublicFiles } from "./public-files.ts";
import type { SessionDependencies } from "./session-dependencies.ts";

/** Time limit for fetching an image from another server. After that the image is not shown. */
const fetchTimeoutMs = 5_000;

type BackgroundDependencies = Pick<SessionDependencies, "store" | "files" | "guardedFetch">;

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

async function fetchedBytes(
  { guardedFetch }: BackgroundDependencies,
  address: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const response = await guardedFetch(address, {
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
  const { store, files } = dependencies;
  const identifier = (await store.sessions.detail(session.id))?.request.background_image;
  if (identifier === undefined) return null;
  const entry = await store.catalogue.find("background_image", session.organizationId, identifier);
  if (entry?.image !== image) return null;
  const id = entry.backgroundimage_id;
  if (image === backgroundFilePath(id)) return files.read(backgroundFileName(id));
  if (image.startsWith("https://")) return fetchedBytes(dependencies, image, signal);
  const path = published.path(image);
  return path === null ? null : fileBytes(path);
}
