import type { ReactiveController } from "lit";
import type { LauncherController } from "../launcher/launcher-controller.ts";
import { OpeningPlayer } from "../motion/opening-player.ts";
import type { SurroundingsController } from "../settings/surroundings-controller.ts";
import type { FocusController } from "./focus-controller.ts";
import type { LazyViews } from "./lazy-views.ts";
import type { PanelHost } from "./panel-host.ts";

/** The controllers that opening and closing work with. */
interface Partners {
  readonly launcher: LauncherController;
  readonly surroundings: SurroundingsController;
  readonly focus: FocusController;
  readonly views: LazyViews;
}

/** Opens and closes the panel: dialog, motion and focus. */
export class OpenController implements ReactiveController {
  opened = false;
  /** Closed, but its motion still runs. */
  closing = false;
  /** Opened at least once. */
  used = false;
  /** Open, and its motion is over. */
  settled = false;
  #complete = false;
  readonly #host: PanelHost;
  readonly #with: Partners;
  readonly #player = new OpeningPlayer();

  constructor(host: PanelHost, partners: Partners) {
    this.#host = host;
    this.#with = partners;
    host.addController(this);
  }

  /** The panel is on the screen. */
  get shown(): boolean {
    return this.opened || this.closing;
  }

  /** Shows a panel that has no launcher, without motion and without the focus. */
  showAtOnce(): void {
    this.used = this.opened = this.settled = true;
    this.#host.setAttribute("open", "");
    this.#host.requestUpdate();
  }

  /** Draws the panel in the place of the loader's frame. It takes over the focus of the frame's button. */
  async replaceFrame(): Promise<void> {
    this.used = true;
    const hadFocus = this.#host.shadowRoot?.activeElement === this.#with.launcher.button;
    await this.#draw();
    const shell = this.#shell();
    if (shell && hadFocus) this.#with.focus.toMain(shell);
  }

  async open(moveFocus: boolean): Promise<void> {
    if (this.opened) return;
    this.opened = true;
    this.used = true;
    this.closing = false;
    await this.#draw();
    const shell = this.#shell();
    if (!shell || !this.#isOpen() || !this.#host.isConnected) return;
    this.#show(shell);
    const motion = this.#player.open(shell, this.#with.launcher.button, this.#reducedMotion());
    if (this.#complete) this.#showControls(shell);
    if (moveFocus) this.#with.focus.toMain(shell);
    await motion;
    this.settled = this.#isOpen();
  }

  async close(): Promise<void> {
    if (!this.opened) return;
    this.opened = false;
    this.settled = false;
    this.closing = true;
    const shell = this.#shell();
    const { button } = this.#with.launcher;
    const hadFocus = shell?.contains(this.#host.shadowRoot?.activeElement ?? null) ?? false;
    const hide = this.#with.views.loaded.chrome?.hideControls;
    const done = !shell || (await this.#player.close(shell, button, this.#reducedMotion(), hide));
    if (!done || this.#isOpen()) return;
    if (shell instanceof HTMLDialogElement) shell.close();
    this.#player.stop();
    this.closing = false;
    await this.#draw();
    if (hadFocus) button?.focus({ preventScroll: true });
  }

  hostUpdated(): void {
    const shell = this.#shell();
    if (!shell || !this.opened) return;
    // The browser closes a dialog without being asked, and one that is moved in the page is no longer modal: its
    // state is the browser's, not ours.
    if (shell instanceof HTMLDialogElement && (!shell.open || shell.matches(":modal") !== this.#isModal()))
      this.#show(shell);
    if (this.#complete || !this.#host.model?.complete) return;
    this.#complete = true;
    this.#showControls(shell);
  }

  hostDisconnected(): void {
    this.#player.stop();
  }

  /** The controls of a panel that grows. */
  #showControls(shell: HTMLElement): void {
    const { growsSinceMs } = this.#player;
    if (growsSinceMs) this.#with.views.loaded.chrome?.showControls(shell, growsSinceMs);
  }

  #shell(): HTMLElement | null {
    return this.#host.renderRoot.querySelector<HTMLElement>(".vv-shell");
  }

  #draw(): Promise<unknown> {
    this.#host.requestUpdate();
    return this.#host.updateComplete;
  }

  /** Asked again after each wait: another call may have come between. */
  #isOpen(): boolean {
    return this.opened;
  }

  #isModal(): boolean {
    return this.#host.model?.layout.fit === "phone";
  }

  #reducedMotion(): boolean {
    return this.#with.surroundings.now.reducedMotion;
  }

  #show(shell: HTMLElement): void {
    if (!(shell instanceof HTMLDialogElement)) return;
    if (this.#isModal()) {
      // A dialog that is open by its attribute must be closed before it can be modal.
      shell.removeAttribute("open");
      shell.showModal();
      return;
    }
    if (shell.matches(":modal")) shell.close();
    // show() would move the focus.
    shell.setAttribute("open", "");
  }
}
