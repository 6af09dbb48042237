import type { BackgroundImage } from "../../protocol/catalogue.ts";
import { imageContentType } from "../../protocol/characters/image-type.ts";
import { publicPath } from "../../protocol/settings/public-path.ts";
import { etagOf } from "./cached-answer.ts";
import { limitSignal } from "../../timing/time-limit.ts";
import { ExpiringCache } from "../contexts/caches.ts";
import { readLimited } from "../limits/limited-body.ts";
import type { RelayAsset, RelayDeps } from "../relay-deps.ts";
import { requestService } from "../service/service-request.ts";

/** The largest picture that the relay passes on, in bytes. */
const pictureMaxBytes = 2 * 1024 * 1024;
const pictureTimeoutMs = 10_000;

/** A failed fetch is not repeated before this time. */
const pictureTtlMs = 60_000;
/** Pictures in memory: 32 MiB at most. */
const maxPictures = 16;

/** Where a background picture is: in the relay's public folder, at the service, or at another address. */
export type Background =
  | { place: "folder"; path: string }
  | { place: "service"; id: string }
  | { place: "elsewhere"; id: string; address: string };

/** What background pictures depend on. */
export type BackgroundDeps = Pick<RelayDeps, "service" | "assets" | "fetchPicture" | "clock" | "log">;

const keptPicture = /\/api\/v1\/background_image\/([^/]+)\/file\/$/;

/** Where a catalogue entry's picture is; null if the relay cannot reach it. */
export async function backgroundOf(
  { backgroundimage_id: id, image }: BackgroundImage,
  { assets, fetchPicture }: Pick<BackgroundDeps, "assets" | "fetchPicture">,
): Promise<Background | null> {
  const path = publicPath(image);
  if (path !== null && (await assets.read(path))) return { place: "folder", path };
  const url = URL.canParse(image) ? new URL(image) : null;
  if (keptPicture.exec(url?.pathname ?? image)?.[1] === encodeURIComponent(id))
    return { place: "service", id };
  if (url?.protocol === "https:" && fetchPicture) return { place: "elsewhere", id, address: url.href };
  return null;
}

/** The path of a context's background at the relay. */
export function backgroundPath(background: Background, contextId: string): string {
  if (background.place === "folder") return background.path;
  // Each picture has its own address, so that browsers can cache it.
  return `embed/v1/contexts/${contextId}/background?v=${encodeURIComponent(background.id)}`;
}

/**
 * Pictures that the relay passes on, so that browsers see only the relay's address. It passes on only pictures that a
 * context names, only if their bytes are a picture, and only up to a size.
 */
export class BackgroundPictures {
  readonly #deps: BackgroundDeps;
  readonly #pictures: ExpiringCache<RelayAsset | null>;

  constructor(deps: BackgroundDeps) {
    this.#deps = deps;
    const now = () => (deps.clock ?? Date).now();
    this.#pictures = new ExpiringCache({ ttlMs: pictureTtlMs, maxEntries: maxPictures, now });
  }

  /** The picture; null if it is the relay's own file or cannot be fetched. */
  of(background: Background): Promise<RelayAsset | null> {
    if (background.place === "folder") return Promise.resolve(null);
    return this.#pictures.get(JSON.stringify(background), () => this.#load(background));
  }

  async #load(background: Exclude<Background, { place: "folder" }>): Promise<RelayAsset | null> {
    const signal = limitSignal(pictureTimeoutMs);
    let response: Response | null | undefined;
    try {
      response = await this.#fetch(background, signal);
      if (!response?.ok) throw new Error(`status ${response?.status ?? "unknown"}`);
      const body = await readLimited(response, pictureMaxBytes);
      const contentType = imageContentType(body);
      if (contentType === null) throw new Error("no picture");
      return { body, contentType, etag: await etagOf(body) };
    } catch (error) {
      await response?.body?.cancel().catch(() => undefined);
      const reason = error instanceof Error ? error.message : "unknown";
      this.#deps.log?.warn("background not shown", { background: background.id, reason });
      return null;
    }
  }

  #fetch(
    background: Exclude<Background, { place: "folder" }>,
    signal: AbortSignal,
  ): Promise<Response> | undefined {
    if (background.place === "elsewhere") return this.#deps.fetchPicture?.(background.address, signal);
    const path = `/api/v1/background_image/${encodeURIComponent(background.id)}/file/`;
    return requestService(this.#deps.service, path, { signal, headers: { Accept: "image/*" } });
  }
}
