import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { icon, type IconName } from "./icons.ts";

/** An action of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDangerous?: boolean;
  readonly run: () => void;
}

/** A button that opens a menu of actions (WAI-ARIA menu button). */
class MenuElement extends LitElement {
  static override properties: PropertyDeclarations = {
    label: { attribute: false },
    items: { attribute: false },
    isOpen: { state: true },
  };
  declare label: string;
  declare items: readonly MenuItem[];
  declare isOpen: boolean;

  constructor() {
    super();
    this.label = "";
    this.items = [];
    this.isOpen = false;
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override render(): TemplateResult {
    return html`<div class="menu" @keydown=${this.#key} @focusout=${this.#leave}>
      <button
        class="icb fill"
        aria-label=${this.label}
        aria-haspopup="menu"
        aria-expanded=${this.isOpen ? "true" : "false"}
        @click=${() => (this.isOpen ? this.#close() : void this.#open(0))}
      >
        ${icon("more")}
      </button>
      ${this.isOpen ? this.#list() : nothing}
    </div>`;
  }

  #list(): TemplateResult {
    const pick = (item: MenuItem): void => {
      this.#close();
      item.run();
    };
    return html`<div class="menu-list" role="menu" aria-label=${this.label}>
      ${this.items.map(
        (item) =>
          html`<button
            role="menuitem"
            tabindex="-1"
            class=${item.isDangerous ? "del" : ""}
            @click=${() => pick(item)}
          >
            ${icon(item.icon)}${item.label}
          </button>`,
      )}
    </div>`;
  }

  #buttons(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>("[role=menuitem]")];
  }

  async #open(index: number): Promise<void> {
    this.isOpen = true;
    await this.updateComplete;
    this.#buttons().at(index)?.focus();
  }

  #close(): void {
    this.isOpen = false;
    this.querySelector("button")?.focus();
  }

  #leave({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.isOpen = false;
  }

  #key(event: KeyboardEvent): void {
    const buttons = this.#buttons();
    const index = buttons.findIndex((button) => button === document.activeElement);
    const steps: Record<string, () => void> = {
      Escape: () => this.#close(),
      ArrowDown: () => (this.isOpen ? buttons.at((index + 1) % buttons.length)?.focus() : void this.#open(0)),
      ArrowUp: () => (this.isOpen ? buttons.at(index - 1)?.focus() : void this.#open(-1)),
      Home: () => buttons.at(0)?.focus(),
      End: () => buttons.at(-1)?.focus(),
    };
    const step = steps[event.key];
    if (!step || (!this.isOpen && !event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  }
}

customElements.define("visavis-console-menu", MenuElement);

/** A button with three dots and a menu of actions. `label` names both. */
export function menu(label: string, items: readonly MenuItem[]): TemplateResult {
  return html`<visavis-console-menu .label=${label} .items=${items}></visavis-console-menu>`;
}
