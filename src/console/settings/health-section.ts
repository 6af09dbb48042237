import { html, nothing, type TemplateResult } from "lit";
import { engineListSchema } from "../../protocol/console/engines.ts";
import { healthSchema, type Health } from "../../protocol/console/settings.ts";
import { Loaded } from "../api/loaded.ts";
import { Polling } from "../api/polling.ts";
import { exactTime, figure, size } from "../format.ts";
import { copyButton } from "../parts/copy-button.ts";
import { whenLoaded } from "../parts/states.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { SettingsSection } from "./section.ts";

/** How often the parts are asked again, in ms. */
const intervalMs = 10_000;
/** Below this share of free space, the disk is marked. The overview tells about it too. */
const lowSpace = 0.05;

interface State {
  readonly health: Health;
  /** How many engines there are, and how many of them can be used. */
  readonly engines: { readonly all: number; readonly usable: number };
}

/** How server, database, media processes, engines and disk are. */
class HealthSection extends SettingsSection {
  readonly #state = new Loaded<State>(this, async (signal) => {
    const { api } = this.services;
    const [health, engines] = await Promise.all([
      api.request("/api/console/health/", { schema: healthSchema, signal }),
      api.request("/api/console/engines/", { schema: engineListSchema, signal }),
    ]);
    const usable = engines.filter(({ state }) => state === "working" || state === "ready").length;
    return { health, engines: { all: engines.length, usable } };
  });

  constructor() {
    super();
    new Polling(
      this,
      () => this.load(),
      () => intervalMs,
    );
  }

  override load(): Promise<void> {
    return this.#state.load();
  }

  protected override render(): TemplateResult {
    const { health: words } = texts.settings;
    const at = this.#state.value?.health.at;
    return html`<section class="sheet" aria-labelledby="health-title">
      <header>
        <h2 id="health-title">${words.title}</h2>
        ${at === undefined ? nothing : html`<span class="s q2 num">${words.checked(exactTime(at))}</span>`}
      </header>
      ${whenLoaded(this.#state, (state) => html`${this.#parts(state)}${this.#metrics(state.health)}`)}
    </section>`;
  }

  #parts({ health, engines }: State): TemplateResult {
    const { health: words } = texts.settings;
    const { server, database, media, disk } = health;
    const answer = database.is_working
      ? words.answer(database.kind, figure(database.answer_ms ?? 0))
      : words.away(database.kind);
    const isLow = disk !== null && disk.free_bytes < disk.total_bytes * lowSpace;
    return html`<dl class="hl">
      ${part(words.server, sign(true, words.working), words.memory(size(server.memory_bytes)))}
      ${part(words.database, sign(database.is_working, answer))}
      ${part(
        words.media,
        sign(media.running >= media.wanted, words.running(media.running, media.wanted)),
        words.sessions(figure(media.sessions)),
      )}
      ${part(
        words.engines,
        html`<a class="lk" href="#/engines">${words.usable(engines.usable, engines.all)}</a>`,
      )}
      ${part(words.version, server.version, words.node(server.node))}
      ${part(words.uptime, uptime(Date.parse(health.at) - Date.parse(server.started_at)))}
      ${part(
        words.disk,
        disk === null
          ? words.unknown
          : sign(!isLow, words.space(size(disk.free_bytes), size(disk.total_bytes))),
      )}
    </dl>`;
  }

  #metrics({ metrics_url: url }: Health): TemplateResult {
    const { health: words } = texts.settings;
    return html`<div class="f metrics">
      <label for="metrics-url">${words.metrics}</label>
      <div class="with">
        <input class="in num" id="metrics-url" readonly .value=${url} aria-describedby="metrics-url-help" />
        ${copyButton(url)}
      </div>
      <p class="help" id="metrics-url-help">${words.metricsHelp}</p>
    </div>`;
  }
}

const sign = (isGood: boolean, text: string): TemplateResult =>
  html`<span class="sig ${isGood ? "" : "bad"}">${text}</span>`;

const part = (title: string, value: TemplateResult | string, note = ""): TemplateResult =>
  html`<div>
    <dt>${title}</dt>
    <dd class="num">${value}</dd>
    ${note === "" ? nothing : html`<dd class="s q2 num">${note}</dd>`}
  </div>`;

/** A length of time in days and hours, or in hours and minutes. */
function uptime(ms: number): string {
  const { health: words } = texts.settings;
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? words.hours(hours, minutes % 60) : words.days(Math.floor(hours / 24), hours % 24);
}

customElements.define("visavis-console-health", HealthSection);

/** The section about the parts of the server. */
export const healthSection = (services: Services): TemplateResult =>
  html`<visavis-console-health .services=${services}></visavis-console-health>`;
