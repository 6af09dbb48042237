import type { PublicContext } from "../../protocol/session/relay-api.ts";
import { rememberConsent, remembersConsent } from "./consent.ts";

/** What the gate needs from the panel. */
interface GateHost {
  /** The context, loaded now if it is not there; null if that fails. */
  loadContext(): Promise<PublicContext | null>;
  /** Shows the page with the owner's text. */
  showPage(): void;
}

/** Lets a conversation begin when the visitor has agreed to the owner's text. */
export class ConsentGate {
  readonly #host: GateHost;
  #agreedTo: string | undefined;
  /** What goes on when the visitor has agreed. */
  #waits: (() => void)[] = [];

  constructor(host: GateHost) {
    this.#host = host;
  }

  /** Whether the visitor has agreed, in this page or before it. */
  isOpen(context: PublicContext): boolean {
    const { consent_text: text } = context.ui;
    if (!text || text === this.#agreedTo) return true;
    if (!remembersConsent(context)) return false;
    this.#agreedTo = text;
    return true;
  }

  /** The visitor agrees. */
  agree(context: PublicContext): void {
    this.#agreedTo = context.ui.consent_text;
    rememberConsent(context);
  }

  /** The session that the visitor has agreed to is starting: what waited goes on in it. */
  release(): void {
    for (const goOn of this.#waits.splice(0)) goOn();
  }

  /** Resolves when the visitor has agreed; at once if that is not needed. */
  async pass(): Promise<void> {
    // What is wrong with the context is told by the start.
    const context = await this.#host.loadContext();
    if (!context || this.isOpen(context)) return;
    this.#host.showPage();
    await new Promise<void>((resolve) => this.#waits.push(resolve));
  }
}
