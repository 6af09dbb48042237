import { imageContentType } from "../../protocol/characters/image-type.ts";
import { etagOf } from "./cached-answer.ts";
import { ExpiringCache } from "../contexts/caches.ts";
import { readLimited } from "../limits/limited-body.ts";
import type { RelayAsset, RelayAssets, RelayClock, ServiceCall } from "../relay-deps.ts";
import { requestService } from "../service/service-request.ts";

/** The largest file of a photo character, in bytes. */
const fileMaxBytes = 2 * 1024 * 1024;
/** A removed photograph must be gone soon. */
const fileTtlMs = 60_000;
const maxFiles = 32;

const id = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const ownPath = new RegExp(`^characters/photos/(${id})/(character\\.json|poster\\.webp|porthole\\.webp)$`);

/** Whether a path of the relay is that of a photo character's file. */
export const isPhotoAsset = (path: string): boolean => ownPath.test(path);

async function load(service: ServiceCall, photo: string, file: string): Promise<RelayAsset | null> {
  const response = await requestService(service, `/api/v1/photo_character/${photo}/${file}/`);
  if (!response.ok) {
    await response.body?.cancel();
    return null;
  }
  const body = await readLimited(response, fileMaxBytes);
  const contentType = file === "character" ? "application/json; charset=UTF-8" : imageContentType(body);
  return contentType === null ? null : { body, contentType, etag: await etagOf(body) };
}

/** The built files, and beside them the files of photo characters, which the service stores. */
export function withPhotos(
  assets: RelayAssets,
  { service, clock }: { service: ServiceCall; clock: RelayClock },
): RelayAssets {
  const kept = new ExpiringCache<RelayAsset | null>({
    ...{ ttlMs: fileTtlMs, maxEntries: maxFiles },
    now: () => clock.now(),
  });
  return {
    read(path) {
      const [, photo, file = ""] = ownPath.exec(path) ?? [];
      if (photo === undefined) return assets.read(path);
      return kept.get(path, () => load(service, photo, file.slice(0, file.indexOf("."))));
    },
  };
}
