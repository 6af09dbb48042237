import type { ReactiveController } from "lit";
import { VisavisError } from "../../client/index.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";
import type { LauncherController } from "../launcher/launcher-controller.ts";
import type { ConsentGate } from "../session/consent-gate.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { ControlActions } from "./controls/control-actions.ts";
import type { FocusController } from "./focus-controller.ts";
import type { VisitorSettings } from "../settings/kept-settings.ts";
import type { LazyViews } from "./lazy-views.ts";
import type { AnswerChoices, PanelChoices, PanelHost } from "./panel-host.ts";

/** The controllers that the visitor's actions work with. */
interface PanelPartners {
  readonly session: SessionController;
  readonly focus: FocusController;
  readonly views: LazyViews;
}

/**
 * Starts and leaves the conversation, and keeps the choices made in the panel. What its controls do comes with them
 * (`control-actions.ts`).
 */
export class PanelController implements PanelChoices, ReactiveController {
  /** The visitor has asked to start and the session has not answered yet. */
  starting = false;
  moreOpen: boolean | "settings" = false;
  /** Null until the visitor has chosen. */
  textOpen: boolean | null = null;
  settings: VisitorSettings = {};
  /** The settings of an earlier time are known. */
  #restored = false;
  draft = "";
  copied = false;
  #gate: ConsentGate | null = null;
  #actions: ControlActions | null = null;
  answers: AnswerChoices = {};
  readonly #host: PanelHost;
  readonly #with: PanelPartners;

  constructor(host: PanelHost, partners: PanelPartners) {
    this.#host = host;
    this.#with = partners;
    host.addController(this);
  }

  /** What the controls do, once their module is there. */
  actions(module: { ControlActions: typeof ControlActions }): ControlActions {
    return (this.#actions ??= new module.ControlActions(this, this.#host, this.#with));
  }

  hostDisconnected(): void {
    this.copied = false;
  }

  /** In a visitor's gesture: starts, or asks for consent first where the owner wants it. */
  async enter(): Promise<void> {
    const { session } = this.#with;
    session.forgetEnd();
    this.change({ starting: true });
    const context = session.context ?? (await this.#loadContext());
    const isFree = context && (!context.ui.consent_text || (await this.#consentGate()).isOpen(context));
    this.change({ starting: false });
    if (isFree) this.begin();
  }

  /** Starts the session in a visitor's gesture. A failure is sent to the page as an event, and shown to the visitor. */
  begin = (): void => {
    const { context } = this.#with.session;
    // Without its context it is not known whether the owner wants consent first.
    if (!context) return void this.enter();
    this.#agree(context).catch(() => undefined);
  };

  /** Does something after the visitor's consent: at once where the owner asks for none, or it is remembered. */
  async withConsent<T>(act: () => T): Promise<Awaited<T>> {
    const { context, isBusy } = this.#with.session;
    // In a gesture the session must start in the same task: browsers allow sound only then.
    if (!isBusy && (!context || context.ui.consent_text)) await (await this.#consentGate()).pass();
    // A session that starts after its element was removed would never end.
    if (!this.#host.isConnected)
      throw new VisavisError("connection_failed", "The element is not in the page.");
    return await act();
  }

  /** Starts the session, after the visitor's consent. Rejects with VisavisError. */
  async start(): Promise<void> {
    await this.withConsent(async () => {
      this.change({ starting: true, moreOpen: false, copied: false });
      try {
        const started = this.#with.session.ensure().start();
        this.#gate?.release();
        await started;
      } finally {
        this.change({ starting: false });
      }
    });
  }

  closeMore = (): void => {
    this.#with.focus.toNext(".vv-tools button");
    this.change({ moreOpen: false, copied: false });
  };

  minimise = (): void => {
    this.moreOpen = false;
    this.#host.removeAttribute("open");
  };

  /** Sends a message of the visitor, after the visitor's consent. Rejects with VisavisError when no session can be started. */
  async ask(text: string): Promise<void> {
    await this.withConsent(() => this.#with.session.ensure().send(text));
  }

  /** Asks for a person; undefined until the controls are there. False: nobody is there. */
  declare askForPerson?: () => Promise<boolean>;

  /** Takes up the settings that the visitor chose at an earlier time. */
  async restore({ context_id }: PublicContext): Promise<void> {
    const { session, views } = this.#with;
    const key = `visavis-settings:${context_id}`;
    try {
      this.#restored = !(key in localStorage || key in sessionStorage);
    } catch {
      this.#restored = true;
    }
    if (this.#restored) return;
    await views.load("settings");
    this.#restored = true;
    this.change({ settings: { ...views.loaded.settings?.restoreSettings(session, key), ...this.settings } });
  }

  /**
   * Where the visitor has moved launcher and panel, if they have. Until that is known, both stay where the loader has put its
   * launcher: it looks up the place by itself.
   */
  placeBeside({ parts }: Pick<LauncherController, "parts">): string | undefined {
    return this.settings.placement ?? (this.#restored ? undefined : parts?.box.dataset["place"]);
  }

  handleKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && !event.isComposing) this.#handleEscape(event);
    else this.#actions?.handleTyping(event);
  };

  /** A modal dialog's own way to close: Escape, or a phone's back gesture. */
  handleCancel = (event: Event): void => {
    event.preventDefault();
    this.#leave();
  };

  #handleEscape(event: KeyboardEvent): void {
    const { floating, leaves } = this.#host.model?.traits ?? {};
    if (!this.moreOpen && !floating && !leaves) return;
    event.preventDefault();
    event.stopPropagation();
    this.#leave();
  }

  #leave(): void {
    if (this.moreOpen) this.closeMore();
    else this.minimise();
  }

  async #agree(context: PublicContext): Promise<void> {
    if (context.ui.consent_text) (await this.#consentGate()).agree(context);
    await this.start();
  }

  async #consentGate(): Promise<ConsentGate> {
    const { ConsentGate } = await import("../session/consent-gate.ts");
    const { session } = this.#with;
    return (this.#gate ??= new ConsentGate({
      loadContext: async () => session.context ?? session.loadContext(false),
      showPage: () => {
        session.forgetEnd();
        this.#host.setAttribute("open", "");
      },
    }));
  }

  /** Loads the context, which offline has to wait. */
  async #loadContext(): Promise<PublicContext | null> {
    if (!navigator.onLine)
      await new Promise((resolve) => {
        addEventListener("online", resolve, { once: true });
      });
    return this.#with.session.loadContext();
  }

  change = (choices: Partial<PanelChoices>): void => {
    Object.assign(this, choices);
    this.#host.requestUpdate();
  };
}
