import { nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import { question } from "../parts/dialog.ts";
import type { Router } from "../router.ts";
import { texts } from "../texts/texts.ts";

/** Asks before a made face is left that was not saved: making it again takes up to a minute. */
export class UnsavedFace implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #router: () => Router;
  #isUnsaved = false;
  /** Answers whoever asked to leave. */
  #answer: ((mayLeave: boolean) => void) | null = null;

  constructor(host: ReactiveControllerHost, router: () => Router) {
    this.#host = host;
    this.#router = router;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("beforeunload", this.#unload);
  }

  hostDisconnected(): void {
    removeEventListener("beforeunload", this.#unload);
    this.#answer?.(true);
    this.#answer = null;
    this.#isUnsaved = false;
  }

  /** Whether there is a face that was not saved. */
  watch(isUnsaved: boolean): void {
    if (this.#isUnsaved === isUnsaved) return;
    this.#isUnsaved = isUnsaved;
    this.#router().guard(isUnsaved ? () => this.#ask() : null);
  }

  /** The question, while somebody is about to leave. */
  view(): TemplateResult | typeof nothing {
    const answer = this.#answer;
    if (!answer) return nothing;
    const { title, text, yes, no } = texts.photo.leave;
    const give = (mayLeave: boolean): void => {
      this.#answer = null;
      this.#host.requestUpdate();
      answer(mayLeave);
    };
    return question({ title, text, yes, no, onYes: () => give(true), onNo: () => give(false) });
  }

  #ask(): Promise<boolean> {
    // The page was left in another way, such as by signing out.
    if (!this.#isUnsaved) return Promise.resolve(true);
    this.#answer?.(false);
    this.#host.requestUpdate();
    return new Promise((resolve) => (this.#answer = resolve));
  }

  readonly #unload = (event: BeforeUnloadEvent): void => {
    if (this.#isUnsaved) event.preventDefault();
  };
}
