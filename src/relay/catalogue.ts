import { backgroundImageSchema, modelStyleSchema, type ModelStyle } from "../protocol/catalogue.ts";
import { matteSchema } from "../protocol/stage-settings.ts";
import { backgroundOf, type Background, type BackgroundDeps } from "./background.ts";
import { publicPath } from "./public-path.ts";
import type { RelayClock } from "./relay-deps.ts";
import { readService } from "./service-request.ts";
import { StaleCache } from "./stale-cache.ts";

const catalogueFreshMs = 5_000;
/** So long entries are served while the service cannot say anything about them. */
const catalogueStaleMs = 10 * 60_000;

/** What the relay tells browsers of a model style: its title, matte, and the paths of its pictures under the public folder. */
export interface StyleView {
  name: string;
  title: string | null;
  matte: string;
  poster: string | null;
  porthole: string | null;
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

/** Looks up model styles and backgrounds in the service's catalogue; kept for five seconds, longer while it is away. */
export class Catalogue {
  readonly #deps: BackgroundDeps;
  readonly #styles: StaleCache<StyleView[]>;
  readonly #backgrounds: StaleCache<Background | null>;

  constructor(deps: BackgroundDeps & { clock: RelayClock }) {
    const { clock } = deps;
    this.#deps = deps;
    const now = () => clock.now();
    const times = { freshMs: catalogueFreshMs, staleMs: catalogueStaleMs };
    this.#styles = new StaleCache({ ...times, maxEntries: 1, now });
    this.#backgrounds = new StaleCache({ ...times, maxEntries: 200, now });
  }

  /** The style of that name. One that the catalogue does not list shows as a finished picture without stills. */
  async style(name: string): Promise<StyleView> {
    const styles = await this.#styles.get("all", () => this.#loadStyles());
    const found = styles.find((style) => style.name === name);
    return found ?? { name, title: null, matte: "none", poster: null, porthole: null };
  }

  /** Where the background's picture is; null where there is none that could be shown. */
  background(id: string | null): Promise<Background | null> {
    if (id === null || id === "") return Promise.resolve(null);
    return this.#backgrounds.get(id, () => this.#loadBackground(id));
  }

  async #loadStyles(): Promise<StyleView[]> {
    const response = await readService(this.#deps.service, "/api/v1/settings/modelstyle/");
    const body: unknown = response.ok ? await response.json().catch(() => null) : null;
    if (!Array.isArray(body)) return [];
    return body.flatMap((entry) => {
      const parsed = modelStyleSchema.safeParse(entry);
      return parsed.success ? [viewOf(parsed.data)] : [];
    });
  }

  async #loadBackground(id: string): Promise<Background | null> {
    const path = `/api/v1/background_image/${encodeURIComponent(id)}/`;
    const response = await readService(this.#deps.service, path);
    const body: unknown = response.ok ? await response.json().catch(() => null) : null;
    const parsed = backgroundImageSchema.safeParse(body);
    return parsed.success ? backgroundOf(parsed.data, this.#deps) : null;
  }
}
