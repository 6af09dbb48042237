/** A message at the bottom of the page that is shown for a while. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

interface ToastOptions {
  /** A button beside the text; the toast ends when it is pressed. */
  action?: { label: string; run: () => void };
}

/** How long a message is shown, in ms: as long as what it undoes can be undone. */
const plainMs = 5_000;
const actionMs = 30_000;

/** The message at the bottom of the page: one at a time, the newest. */
export class Toasts {
  current: Toast | null = null;
  readonly #listeners = new Set<() => void>();
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls back when the message changes. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Shows a message in place of the current one. */
  show(text: string, { action }: ToastOptions = {}): void {
    const id = ++this.#last;
    this.#become({ id, text, action: action ?? null });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(id), action ? actionMs : plainMs);
  }

  /** Removes a message, if it is still shown. */
  hide(id: number): void {
    if (this.current?.id === id) this.#become(null);
  }

  #become(toast: Toast | null): void {
    this.current = toast;
    for (const listener of this.#listeners) listener();
  }
}
