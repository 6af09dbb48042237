import {
  backgroundImageSchema,
  modelStyleSchema,
  sttTypeSchema,
  type ModelStyle,
} from "../../protocol/catalogue.ts";
import { publicPath } from "../../protocol/settings/public-path.ts";
import { matteSchema } from "../../protocol/settings/stage-settings.ts";
import { backgroundOf, type Background, type BackgroundDeps } from "../assets/background.ts";
import { isPhotoAsset } from "../assets/photo-assets.ts";
import type { RelayClock } from "../relay-deps.ts";
import { readService } from "../service/service-request.ts";
import { StaleCache } from "./caches.ts";

const catalogueFreshMs = 5_000;
/** How long old entries are served while the service is not reachable, in ms. */
const catalogueStaleMs = 10 * 60_000;

/** What browsers may know about a model style: its title, its matte, its background, and the paths of its pictures in the public folder. */
export interface StyleView {
  name: string;
  title: string | null;
  matte: string;
  /** Its picture has kept what was behind the person. */
  isOpaque: boolean;
  poster: string | null;
  porthole: string | null;
  /** The character that a browser can draw itself: a drawn one, or one from a photograph. */
  character: string | null;
}

/** Finished pictures, without stills. */
const unknownStyle = {
  ...{ title: null, matte: "none", isOpaque: false },
  ...{ poster: null, porthole: null, character: null },
};

function viewOf(style: ModelStyle): StyleView {
  const config = (key: string) => style.configs.find((entry) => entry.key === key)?.value;
  const file = (name: string) => publicPath(style.files.find((entry) => entry.name === name)?.file);
  const matte = matteSchema.safeParse(config("matte"));
  return {
    name: style.name,
    title: config("title") ?? null,
    matte: matte.success ? matte.data : "none",
    isOpaque: config("background") === "kept",
    poster: file("poster"),
    porthole: file("porthole"),
    character: file("character"),
  };
}

/** Looks up model styles and backgrounds in the service's catalogue. Entries are kept for five seconds, or longer while the service is not reachable. */
export class Catalogue {
  readonly #deps: BackgroundDeps;
  readonly #styles: StaleCache<StyleView[]>;
  readonly #backgrounds: StaleCache<Background | null>;
  readonly #recognizers: StaleCache<ReadonlySet<string> | null>;

  constructor(deps: BackgroundDeps & { clock: RelayClock }) {
    const { clock } = deps;
    this.#deps = deps;
    const now = () => clock.now();
    const times = { freshMs: catalogueFreshMs, staleMs: catalogueStaleMs };
    this.#styles = new StaleCache({ ...times, maxEntries: 1, now });
    this.#recognizers = new StaleCache({ ...times, maxEntries: 1, now });
    this.#backgrounds = new StaleCache({ ...times, maxEntries: 200, now });
  }

  /** The style of that name. An unknown style counts as one with finished pictures and without stills. */
  async style(name: string): Promise<StyleView> {
    const styles = await this.#styles.get("all", () => this.#loadStyles());
    const found = styles.find((style) => style.name === name);
    return found ?? { ...unknownStyle, name };
  }

  /** Where the background's picture is; null if there is none. */
  background(id: string | null): Promise<Background | null> {
    if (id === null || id === "") return Promise.resolve(null);
    return this.#backgrounds.get(id, () => this.#loadBackground(id));
  }

  /**
   * The recognizer of that name, if the service can use it now: its program or model may be gone. Where the service has no list,
   * the name is trusted.
   */
  async recognizer(name: string | undefined): Promise<string | undefined> {
    if (name === undefined) return undefined;
    const usable = await this.#recognizers.get("all", () => this.#loadRecognizers());
    return usable === null || usable.has(name) ? name : undefined;
  }

  async #loadRecognizers(): Promise<ReadonlySet<string> | null> {
    const response = await readService(this.#deps.service, "/api/v1/settings/stt_type/");
    const body: unknown = response.ok ? await response.json().catch(() => null) : null;
    if (!Array.isArray(body)) return null;
    return new Set(body.flatMap((entry) => sttTypeSchema.safeParse(entry).data?.name ?? []));
  }

  async #loadStyles(): Promise<StyleView[]> {
    const response = await readService(this.#deps.service, "/api/v1/settings/modelstyle/");
    const body: unknown = response.ok ? await response.json().catch(() => null) : null;
    if (!Array.isArray(body)) return [];
    const views = body.flatMap((entry) => {
      const parsed = modelStyleSchema.safeParse(entry);
      return parsed.success ? [viewOf(parsed.data)] : [];
    });
    return Promise.all(views.map((view) => this.#withOwnCharacter(view)));
  }

  /** Leaves out a character that only the service has: browsers would ask this relay for it in vain. */
  async #withOwnCharacter(view: StyleView): Promise<StyleView> {
    if (view.character === null || isPhotoAsset(view.character)) return view;
    return (await this.#deps.assets.read(view.character)) ? view : { ...view, character: null };
  }

  async #loadBackground(id: string): Promise<Background | null> {
    const path = `/api/v1/background_image/${encodeURIComponent(id)}/`;
    const response = await readService(this.#deps.service, path);
    const body: unknown = response.ok ? await response.json().catch(() => null) : null;
    const parsed = backgroundImageSchema.safeParse(body);
    return parsed.success ? backgroundOf(parsed.data, this.#deps) : null;
  }
}
