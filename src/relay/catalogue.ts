import { backgroundImageSchema, modelStyleSchema, type ModelStyle } from "../protocol/catalogue.ts";
import { matteSchema } from "../protocol/stage-settings.ts";
import { ExpiringCache } from "./expiring-cache.ts";
import type { RelayClock, ServiceCall } from "./relay-deps.ts";
import { requestService } from "./service-request.ts";

const catalogueTtlMs = 5_000;

/** Public folders of pictures; nothing else is ever linked or inlined. */
const publicFile =
  /^\/?((?:characters|backgrounds|stills)\/(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*)$/;

/** What the relay tells browsers of a model style: its title, matte, and the paths of its pictures under the public folder. */
export interface StyleView {
  name: string;
  title: string | null;
  matte: string;
  poster: string | null;
  porthole: string | null;
}

/** The path under the public folder that a catalogue entry names (as a path or an address), or null. */
export function publicPath(file: string | null | undefined): string | null {
  if (!file) return null;
  const pathname = URL.canParse(file) ? new URL(file).pathname : file;
  return publicFile.exec(pathname)?.[1] ?? null;
}

function viewOf(style: ModelStyle): StyleView {
  const config = (key: string) => style.configs.find((entry) => entry.key === key)?.value;
  const file = (name: string) => publicPath(style.files.find((entry) => entry.name === name)?.file);
  const matte = matteSchema.safeParse(config("matte"));
  return {
    name: style.name,
    title: config("title") ?? null,
    matte: matte.success ? matte.data : "none",
    poster: file("poster"),
    porthole: file("porthole"),
  };
}

/** Looks up model styles and backgrounds in the service's catalogue; kept for five seconds. */
export class Catalogue {
  readonly #service: ServiceCall;
  readonly #styles: ExpiringCache<StyleView[]>;
  readonly #backgrounds: ExpiringCache<string | null>;

  constructor(service: ServiceCall, clock: RelayClock) {
    this.#service = service;
    const now = () => clock.now();
    this.#styles = new ExpiringCache({ ttlMs: catalogueTtlMs, maxEntries: 1, now });
    this.#backgrounds = new ExpiringCache({ ttlMs: catalogueTtlMs, maxEntries: 200, now });
  }

  /** The style of that name. One that the catalogue does not list shows as a finished picture without stills. */
  async style(name: string): Promise<StyleView> {
    const styles = await this.#styles.get("all", () => this.#loadStyles());
    const found = styles.find((style) => style.name === name);
    return found ?? { name, title: null, matte: "none", poster: null, porthole: null };
  }

  /** The background's picture as a path under the public folder, or null. */
  background(id: string | null): Promise<string | null> {
    if (id === null || id === "") return Promise.resolve(null);
    return this.#backgrounds.get(id, () => this.#loadBackground(id));
  }

  async #loadStyles(): Promise<StyleView[]> {
    const response = await requestService(this.#service, "/api/v1/settings/modelstyle/");
    const body: unknown = response.ok ? await response.json().catch(() => null) : null;
    if (!Array.isArray(body)) return [];
    return body.flatMap((entry) => {
      const parsed = modelStyleSchema.safeParse(entry);
      return parsed.success ? [viewOf(parsed.data)] : [];
    });
  }

  async #loadBackground(id: string): Promise<string | null> {
    const path = `/api/v1/background_image/${encodeURIComponent(id)}/`;
    const response = await requestService(this.#service, path);
    const body: unknown = response.ok ? await response.json().catch(() => null) : null;
    const parsed = backgroundImageSchema.safeParse(body);
    return parsed.success ? publicPath(parsed.data.image) : null;
  }
}
