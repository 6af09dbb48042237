import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";
import { headingEvent, type ConsolePage } from "../page.ts";
import { insteadOfPage } from "../parts/instead-of-page.ts";
import { skeleton } from "../parts/states.ts";
import { matchRoute, type Location } from "../router.ts";
import { routes, startPath, type Route } from "../routes.ts";
import type { Services } from "../services.ts";
import { loadPageTexts, texts } from "../texts/texts.ts";

type Shown =
  | { status: "nothing" | "missing" | "failed" | "forbidden" }
  | { status: "loading"; route: Route }
  | { status: "page"; route: Route; page: ConsolePage };

/** Shows the page of the address: loads its module and its texts, and creates its element. */
export class PageOutlet {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #services: Services;
  #shown: Shown = { status: "nothing" };
  #attempt = 0;

  constructor(host: ReactiveControllerHost & HTMLElement, services: Services) {
    this.#host = host;
    this.#services = services;
    host.addEventListener(headingEvent, () => void this.#arrive());
  }

  /** The route of the page that is shown. */
  get route(): Route | null {
    return "route" in this.#shown ? this.#shown.route : null;
  }

  /** Shows the page of a location. */
  follow(to: Location): void {
    void this.#show(to);
  }

  /** The page, or what is shown in its place. */
  content(): TemplateResult | ConsolePage | typeof nothing {
    switch (this.#shown.status) {
      case "nothing":
        return nothing;
      case "page":
        return this.#shown.page;
      case "loading":
        return skeleton();
      case "missing":
        return this.#notice(texts.errors.noPage, texts.errors.noPageText);
      case "forbidden":
        return this.#notice(texts.errors.forbidden, texts.errors.notForRole);
      case "failed":
        return this.#notice(texts.errors.unreadable, texts.errors.network);
    }
  }

  #notice(title: string, text: string): TemplateResult {
    const action = html`<a class="btn" href=${`#${startPath}`}>${texts.errors.toStart}</a>`;
    return insteadOfPage({ title, text, action });
  }

  async #show({ path, query }: Location): Promise<void> {
    const attempt = ++this.#attempt;
    const match = matchRoute(routes, path);
    if (!match) {
      this.#become({ status: "missing" });
      return;
    }
    const { route, params } = match;
    const { session } = this.#services;
    if (session.state.status === "in" && !session.may(route.role ?? "viewer")) {
      this.#become({ status: "forbidden" });
      return;
    }
    if (this.#shown.status !== "page") this.#become({ status: "loading", route });
    const loaded = await Promise.all([route.load(), loadPageTexts(route.texts)]).catch(() => null);
    if (attempt !== this.#attempt) return;
    if (loaded === null) {
      this.#become({ status: "failed" });
      return;
    }
    const [Page] = loaded;
    const isSame = this.#shown.status === "page" && this.#shown.page.constructor === Page;
    const page = this.#shown.status === "page" && isSame ? this.#shown.page : new Page();
    Object.assign(page, { services: this.#services, params, query });
    this.#become({ status: "page", route, page }, !isSame);
  }

  #become(shown: Shown, isNew = true): void {
    this.#shown = shown;
    this.#host.requestUpdate();
    if (isNew && shown.status !== "loading") void this.#arrive();
  }

  /** The title of the window and the focus follow the page's heading. */
  async #arrive(): Promise<void> {
    await this.#host.updateComplete;
    if (this.#shown.status === "page") await this.#shown.page.updateComplete;
    const heading = this.#host.querySelector<HTMLElement>("main h1");
    document.title = heading ? `${heading.textContent.trim()} · Visavis` : "Visavis";
    // Before the first navigation the focus stays where the browser has put it.
    if (this.#attempt > 1 && !this.#host.querySelector("dialog[open]")) heading?.focus();
    scrollTo(0, 0);
  }
}
