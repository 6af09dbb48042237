import { OpeningPlayer } from "../motion/opening-player.ts";

/** What a presence needs of its element. */
export interface PresenceHost {
  /** The dialog or region, once drawn. */
  shell(): HTMLElement | null;
  launcherButton(): HTMLElement | null;
  /** On a phone the dialog is modal. */
  isModal(): boolean;
  reducedMotion(): boolean;
  /** Whether the controls are there already. */
  isComplete(): boolean;
  focusMain(shell: HTMLElement): void;
  /** Draws the present state and resolves when it stands. */
  draw(): Promise<unknown>;
}

/** Whether the panel is open, and the way between open and closed: dialog, motion and focus. */
export class Presence {
  opened = false;
  /** Closed, but its motion still runs. */
  closing = false;
  /** Opened at least once. */
  used = false;
  /** Open, and its motion is over. */
  settled = false;
  readonly #host: PresenceHost;
  readonly #motion = new OpeningPlayer();

  constructor(host: PresenceHost) {
    this.#host = host;
  }

  async open(moveFocus: boolean): Promise<void> {
    if (this.opened) return;
    this.opened = true;
    this.used = true;
    this.closing = false;
    await this.#host.draw();
    const shell = this.#host.shell();
    if (!shell || !this.#isOpen()) return;
    this.#show(shell);
    const motion = this.#motion.open(shell, this.#host.launcherButton(), this.#host.reducedMotion());
    if (this.#host.isComplete()) this.#motion.arrive(shell);
    if (moveFocus) this.#host.focusMain(shell);
    await motion;
    this.settled = this.#isOpen();
  }

  async close(): Promise<void> {
    if (!this.opened) return;
    this.opened = false;
    this.settled = false;
    this.closing = true;
    const shell = this.#host.shell();
    const button = this.#host.launcherButton();
    const hadFocus = shell?.contains((shell.getRootNode() as ShadowRoot).activeElement) ?? false;
    const done = shell ? await this.#motion.close(shell, button, this.#host.reducedMotion()) : true;
    if (!done || this.#isOpen()) return;
    if (shell instanceof HTMLDialogElement) shell.close();
    this.#motion.stop();
    this.closing = false;
    await this.#host.draw();
    if (hadFocus) button?.focus({ preventScroll: true });
  }

  /** The controls have come after the panel: they arrive in it. */
  handleControls(): void {
    const shell = this.#host.shell();
    if (shell && this.opened) this.#motion.arrive(shell);
  }

  /** After a change of layout: a dialog that became modal, or stopped being it, is shown anew. */
  settle(): void {
    const shell = this.#host.shell();
    if (!this.opened || !(shell instanceof HTMLDialogElement)) return;
    if (!shell.open || shell.matches(":modal") !== this.#host.isModal()) this.#show(shell);
  }

  stop(): void {
    this.#motion.stop();
  }

  /** Asked anew after each wait: another call may have come between. */
  #isOpen(): boolean {
    return this.opened;
  }

  #show(shell: HTMLElement): void {
    if (!(shell instanceof HTMLDialogElement)) return;
    if (this.#host.isModal()) {
      // A dialog shown by its attribute must go before it can be shown as a modal one.
      shell.removeAttribute("open");
      shell.showModal();
      return;
    }
    if (shell.matches(":modal")) shell.close();
    // show() would move the focus by itself.
    shell.setAttribute("open", "");
  }
}
