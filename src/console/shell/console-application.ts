import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { ApiClient } from "../api/api-client.ts";
import { ApiError } from "../api/api-error.ts";
import { modal } from "../parts/dialog.ts";
import { errorText } from "../parts/error-text.ts";
import { icon } from "../parts/icons.ts";
import { empty } from "../parts/states.ts";
import { type Location, matchRoute, Router } from "../router.ts";
import { routes } from "../routes.ts";
import type { Services } from "../services.ts";
import { SessionKeeper, type SessionState } from "../session.ts";
import { signOut } from "./sign-out.ts";
import { signInForm, signInPage } from "../sign-in/sign-in-page.ts";
import { invitationPage } from "../sign-in/invitation-page.ts";
import { texts } from "../texts/texts.ts";
import { Toasts } from "../toasts.ts";
import { Badges } from "./badges.ts";
import { phoneBar, sideNavigation } from "./navigation.ts";
import { PageOutlet } from "./page-outlet.ts";

/** The whole console: navigation, the page of the address, and the dialogs and messages above it. */
export class ConsoleApplication extends LitElement {
  static override properties: PropertyDeclarations = { startError: { state: true } };
  declare startError: unknown;
  readonly #services: Services;
  readonly #outlet: PageOutlet;
  #status: SessionState["status"] = "unknown";
  #path = "";

  constructor() {
    super();
    this.startError = null;
    const session: SessionKeeper = new SessionKeeper(() => api);
    const api = new ApiClient({
      fetch: (input, init) => fetch(input, init),
      origin: location.origin,
      signInAgain: () => session.signInAgain(),
    });
    this.#services = {
      api,
      session,
      router: new Router(),
      toasts: new Toasts(),
      badges: new Badges(api),
      hasPage,
    };
    this.#outlet = new PageOutlet(this, this.#services);
  }

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (isInvitation()) return;
    const { session, router, toasts, badges } = this.#services;
    const update = (): void => this.requestUpdate();
    session.listen(() => this.#afterSession());
    toasts.listen(update);
    router.listen((to) => {
      // Also where a session has ended: the page's requests wait until somebody has signed in again.
      if ("session" in session.state) this.#arrive(to);
    });
    badges.listen(update);
    router.start();
    void this.#start();
  }

  /** Shows the page of a location, and asks what the navigation shows beside its entries. */
  #arrive(to: Location): void {
    this.#outlet.follow(to);
    if (to.path !== this.#path) void this.#services.badges.load();
    this.#path = to.path;
  }

  /** Whoever has signed in sees the page of the address. */
  #afterSession(): void {
    const { session, router } = this.#services;
    const { status } = session.state;
    if (status === "in" && this.#status !== "expired") this.#arrive(router.location);
    this.#status = status;
    this.requestUpdate();
  }

  async #start(): Promise<void> {
    this.startError = null;
    try {
      await this.#services.session.resume();
    } catch (error) {
      this.startError = error instanceof ApiError ? error : new ApiError("server", { cause: error });
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    if (isInvitation()) return invitationPage(this.#services.api);
    if (this.startError !== null) return this.#startFailure();
    const { state } = this.#services.session;
    if (state.status === "unknown") return nothing;
    if (state.status === "out") return signInPage(this.#services.session);
    return this.#console(state);
  }

  #startFailure(): TemplateResult {
    const action = html`<button class="btn pri" @click=${() => void this.#start()}>
      ${texts.states.tryAgain}
    </button>`;
    const text = errorText(this.startError);
    return html`<main class="lonely">
      <h1 class="sr">Visavis</h1>
      ${empty({ icon: "offline", title: "Visavis", text, action })}
    </main>`;
  }

  #console(state: Extract<SessionState, { status: "in" | "expired" }>): TemplateResult {
    const { session } = state;
    const route = this.#outlet.route;
    const model = {
      session,
      current: route?.entry ?? null,
      badges: this.#services.badges.shown,
      onTheme: () => this.requestUpdate(),
      onSignOut: () => void signOut(this.#services),
    };
    return html`<div class="con ${route?.isWide ? "is-edit" : ""}">
        <a class="skip" href="#main" @click=${this.#skip}>${texts.skip}</a>
        ${sideNavigation(model)}
        <main class="main" id="main" tabindex="-1">
          <section>
            <div class="wrap">${this.#outlet.content()}</div>
          </section>
        </main>
        ${phoneBar(model)}
      </div>
      ${this.#toast()} ${state.status === "expired" ? this.#signInAgain(session.account.username) : nothing}`;
  }

  #skip(event: Event): void {
    event.preventDefault();
    this.querySelector<HTMLElement>("#main h1")?.focus();
  }

  #toast(): TemplateResult {
    const { current } = this.#services.toasts;
    const { toasts } = this.#services;
    const act = (): void => {
      if (!current?.action) return;
      toasts.hide(current.id);
      current.action.run();
    };
    return html`<div role="status" class="toasts">
      ${
        current
          ? html`<div class="toast">
              <span>${current.text}</span>
              ${current.action ? html`<button @click=${act}>${current.action.label}</button>` : nothing}
              <button class="dismiss" aria-label=${texts.close} @click=${() => toasts.hide(current.id)}>
                ${icon("close", 18)}
              </button>
            </div>`
          : nothing
      }
    </div>`;
  }

  #signInAgain(username: string): TemplateResult {
    const { session } = this.#services;
    return modal({
      title: texts.signIn.expiredTitle,
      content: html`<p class="note spaced">${icon("clock")}<span>${texts.signIn.expired}</span></p>
        ${signInForm(session, username)}
        <button class="btn quiet" @click=${() => session.giveUp()}>${texts.signIn.giveUp}</button>`,
      // Escape would lose what was typed.
      onClose: null,
    });
  }
}

const hasPage = (path: string): boolean => matchRoute(routes, path) !== null;

/** An invitation's link opens the same application at a path of its own. */
const isInvitation = (): boolean => location.pathname.endsWith("/invitation");
