import { html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { texts } from "../texts/texts.ts";
import { icon } from "./icons.ts";

/** How long the button says that it has copied, in ms. */
const doneMs = 2_500;

interface CopyOptions {
  /** What the button is called. Default: Copy. */
  label?: string;
  isSmall?: boolean;
  /** The browser does not allow copying. Default: the field beside the button is selected. */
  onRefused?: () => void;
}

/** A button that copies a text. */
class CopyButton extends LitElement {
  static override properties: PropertyDeclarations = {
    value: { attribute: false },
    options: { attribute: false },
    isDone: { state: true },
  };
  declare value: string;
  declare options: CopyOptions;
  declare isDone: boolean;

  constructor() {
    super();
    this.value = "";
    this.options = {};
    this.isDone = false;
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    // Another text has not been copied.
    if (changed.has("value")) this.isDone = false;
  }

  protected override render(): TemplateResult {
    const { isDone } = this;
    const { label = texts.copy, isSmall = false } = this.options;
    const look = isDone ? "done" : isSmall ? "" : "pri";
    return html`<button type="button" class="btn ${look} ${isSmall ? "sm" : ""}" @click=${this.#copy}>
        ${icon(isDone ? "check" : "copy", isSmall ? 16 : undefined)} ${isDone ? texts.copied : label}
      </button>
      <span class="sr" role="status">${isDone ? texts.copied : ""}</span>`;
  }

  async #copy(): Promise<void> {
    const { value } = this;
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Without a secure page there is no clipboard; the text stands beside the button.
      if (this.options.onRefused) this.options.onRefused();
      else this.parentElement?.querySelector("input")?.select();
      return;
    }
    this.isDone = value === this.value;
    setTimeout(() => (this.isDone = false), doneMs);
  }
}

customElements.define("visavis-console-copy", CopyButton);

/** A button that copies a text. */
export const copyButton = (value: string, options: CopyOptions = {}): TemplateResult =>
  html`<visavis-console-copy .value=${value} .options=${options}></visavis-console-copy>`;
