import { type Conversation, conversationListSchema } from "../../protocol/console/conversations.ts";
import type { Avatar } from "../../protocol/console/avatar-list.ts";
import { type Overview, overviewSchema } from "../../protocol/console/overview.ts";
import { type UnansweredList, unansweredListSchema } from "../../protocol/console/unanswered.ts";
import type { ApiClient } from "../api/api-client.ts";
import { loadAvatarList } from "../avatars/avatar-list-request.ts";
import { type FacePictures, type Faces, loadFaces } from "../avatars/face-requests.ts";
import { html, nothing, type TemplateResult } from "lit";
import { Loaded } from "../api/loaded.ts";
import { Polling } from "../api/polling.ts";
import { figure, longDay, timeOfDay } from "../format.ts";
import { ConsolePage } from "../page.ts";
import { select } from "../parts/field.ts";
import { pageHead } from "../parts/page-head.ts";
import { skeleton, whenLoaded } from "../parts/states.ts";
import { linkTo } from "../router.ts";
import "../styles/tables.css";
import { texts } from "../texts/texts.ts";
import { chart, figures } from "./figures.ts";
import { firstSteps } from "./first-steps.ts";
import { latestConversations, limitsSheet, missingAnswers, problemNotes } from "./latest-lists.ts";
import "./overview.css";

/** How many questions and conversations the lists show. */
const listed = 3;

/** The avatars that the figures are about, with their faces. */
export interface Surroundings {
  readonly avatars: readonly Avatar[];
  readonly faces: Faces;
}

/** What came last. */
export interface Latest {
  readonly unanswered: UnansweredList;
  readonly conversations: readonly Conversation[];
}

/** Figures, limits, problems and the first steps. `context`: of one avatar; empty: of all. Throws ApiError. */
export const loadOverview = (api: ApiClient, context: string, signal: AbortSignal): Promise<Overview> =>
  api.request("/api/console/overview/", {
    query: { context: context || undefined },
    schema: overviewSchema,
    signal,
  });

/** Throws ApiError. */
export async function loadSurroundings(api: ApiClient, signal: AbortSignal): Promise<Surroundings> {
  const [avatars, faces] = await Promise.all([loadAvatarList(api, signal), loadFaces(api, signal)]);
  return { avatars, faces };
}

/** The questions without an answer that were asked most, and the latest conversations. Throws ApiError. */
export async function loadLatest(api: ApiClient, context: string, signal: AbortSignal): Promise<Latest> {
  const query = { context: context || undefined, limit: listed };
  const [unanswered, conversations] = await Promise.all([
    api.request("/api/console/unanswered/", { query, schema: unansweredListSchema, signal }),
    api.request("/api/console/conversations/", { query, schema: conversationListSchema, signal }),
  ]);
  return { unanswered, conversations };
}

const path = "/";

/** How often the page is read again, in ms: while the first steps are open they are followed closely. */
const firstRunMs = 4_000;
const usualMs = 30_000;

/** What the avatars do: the first steps, then the figures of today and of 30 days, limits, and what came last. */
export class OverviewPage extends ConsolePage {
  readonly #overview = new Loaded<Overview>(this, (signal) =>
    loadOverview(this.services.api, this.#context, signal),
  );
  readonly #surroundings = new Loaded<Surroundings>(this, (signal) =>
    loadSurroundings(this.services.api, signal),
  );
  readonly #latest = new Loaded<Latest>(this, (signal) =>
    loadLatest(this.services.api, this.#context, signal),
  );
  #shown: string | null = null;

  constructor() {
    super();
    new Polling(
      this,
      () => this.#load(),
      () => (this.#overview.value?.first_run ? firstRunMs : usualMs),
    );
  }

  /** The id of the avatar whose figures are shown; empty: all. */
  get #context(): string {
    return this.query.get("avatar") ?? "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#shown = null;
    this.requestUpdate();
    void this.#surroundings.load();
  }

  protected override willUpdate(): void {
    if (this.#context === this.#shown) return;
    this.#shown = this.#context;
    void this.#load();
  }

  async #load(): Promise<void> {
    await Promise.all([this.#overview.load(), this.#latest.load()]);
  }

  protected override render(): TemplateResult {
    const overview = this.#overview.value;
    return html`${pageHead({
      title: overview ? this.#title(overview) : texts.nav.overview,
      lead: overview ? this.#lead(overview) : "",
      actions: this.#choice(),
    })}
    ${whenLoaded(
      this.#overview,
      (value) => this.#content(value),
      () => skeleton(6),
    )}`;
  }

  /** The avatar that the page is about: the chosen one, or the only one. */
  get #avatar(): Avatar | undefined {
    const avatars = this.#surroundings.value?.avatars ?? [];
    const [only, ...others] = avatars;
    return avatars.find(({ id }) => id === this.#context) ?? (others.length === 0 ? only : undefined);
  }

  #title({ first_run: firstRun, today, days }: Overview): string {
    const { overview: words } = texts;
    if (firstRun) return words.firstTitle;
    if (days.every(({ conversations }) => conversations === 0)) return words.noneYet;
    const name = this.#avatar?.avatar_name;
    return name === undefined ? words.today(today.conversations) : words.todayOf(name, today.conversations);
  }

  #lead({ first_run: firstRun, today, at }: Overview): string {
    const { overview: words } = texts;
    if (firstRun) {
      const isDone = firstRun.avatar.done && firstRun.knowledge.done && firstRun.page.done;
      return isDone ? words.firstAllDone : words.firstLead;
    }
    const answered = today.questions - today.unanswered;
    const until = words.until(longDay(today.date), timeOfDay(at));
    return today.questions === 0
      ? until
      : `${until} ${words.answered(figure(answered), figure(today.questions))}`;
  }

  #choice(): TemplateResult | typeof nothing {
    const avatars = this.#surroundings.value?.avatars ?? [];
    if (avatars.length < 2) return nothing;
    return select({
      isPill: true,
      label: texts.overview.avatar,
      value: this.#context,
      choices: [
        { value: "", label: texts.overview.allAvatars },
        ...avatars.map(({ id, avatar_name: label }) => ({ value: id, label })),
      ],
      onChange: (avatar) => this.services.router.replace(path, { avatar }),
    });
  }

  #content(overview: Overview): TemplateResult {
    const { services } = this;
    const { first_run: firstRun, days } = overview;
    const hasFigures = firstRun === null || days.some(({ conversations }) => conversations > 0);
    const poster = this.#faceOf(firstRun?.avatar.context ?? "")?.poster ?? null;
    return html`${problemNotes(overview.problems, services)}
    ${firstRun ? firstSteps(firstRun, poster, services) : nothing}
    ${hasFigures ? this.#figures(overview) : nothing}`;
  }

  #figures(overview: Overview): TemplateResult {
    const mayEdit = this.services.session.may("editor");
    const teach = mayEdit ? linkTo("/unanswered", { avatar: this.#context }) : null;
    return html`<div class="stack figures">
      ${figures(overview, teach)}
      <div class="grid g75">
        ${chart(overview.days)}${limitsSheet(overview.limits, overview.time_zone, this.#limitsLink())}
      </div>
      ${whenLoaded(
        this.#latest,
        ({ unanswered, conversations }) =>
          html`<div class="grid g2">
            ${missingAnswers(unanswered, this.#context, mayEdit)}
            ${latestConversations(conversations, this.#context, (context) => this.#faceOf(context))}
          </div>`,
      )}
    </div>`;
  }

  /** Limits of one avatar are set in its editor, those of all in the settings. */
  #limitsLink(): string | null {
    const { session, hasPage } = this.services;
    const editor = `/avatars/${this.#context}/limits`;
    if (this.#context !== "" && hasPage(editor)) return session.may("editor") ? linkTo(editor) : null;
    return session.may("owner") ? linkTo("/settings/quotas") : null;
  }

  #faceOf(context: string): FacePictures | undefined {
    const { avatars = [], faces } = this.#surroundings.value ?? {};
    const avatar = avatars.find(({ id }) => id === context);
    return avatar && faces?.get(avatar.model_style);
  }
}

customElements.define("visavis-console-overview", OverviewPage);
