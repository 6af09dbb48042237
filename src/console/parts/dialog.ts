import { html, nothing, type ElementPart, type TemplateResult } from "lit";
import { AsyncDirective, directive } from "lit/async-directive.js";

/** Opens the dialog above the page as soon as it is in the document, and gives the focus back when it is gone. */
class OpenModal extends AsyncDirective {
  #opener: Element | null = null;
  #isOpen = false;

  render(): typeof nothing {
    return nothing;
  }

  override update({ element }: ElementPart): typeof nothing {
    if (this.#isOpen || !(element instanceof HTMLDialogElement)) return nothing;
    this.#isOpen = true;
    this.#opener = document.activeElement;
    queueMicrotask(() => {
      if (element.isConnected && !element.open) element.showModal();
    });
    return nothing;
  }

  override disconnected(): void {
    const opener = this.#opener;
    if (opener instanceof HTMLElement && opener.isConnected) queueMicrotask(() => opener.focus());
  }
}

const openModal = directive(OpenModal);

interface Modal {
  title: string;
  content: TemplateResult;
  /**
   * Called on Escape and on the browser's own way to close; the caller then stops rendering the dialog. Null: it cannot be closed
   * this way.
   */
  onClose: (() => void) | null;
  /** A sheet at the side instead of a box in the middle. */
  isSide?: boolean;
}

/** A dialog above the page. It is open while it is rendered. */
export function modal({ title, content, onClose, isSide = false }: Modal): TemplateResult {
  const cancel = (event: Event): void => {
    event.preventDefault();
    onClose?.();
  };
  return html`<dialog
    class=${isSide ? "side" : "ask"}
    aria-labelledby="dialog-title"
    @cancel=${cancel}
    ${openModal()}
  >
    <h2 id="dialog-title">${title}</h2>
    ${content}
  </dialog>`;
}

interface Question {
  title: string;
  text: string;
  yes: string;
  no: string;
  isDangerous?: boolean;
  onYes: () => void;
  onNo: () => void;
}

/** A question before something that cannot be undone. */
export function question({
  title,
  text,
  yes,
  no,
  isDangerous = false,
  onYes,
  onNo,
}: Question): TemplateResult {
  const content = html`<p>${text}</p>
    <div class="acts">
      <button class="btn" @click=${onNo}>${no}</button>
      <button class="btn ${isDangerous ? "del" : "pri"}" @click=${onYes}>${yes}</button>
    </div>`;
  return modal({ title, content, onClose: onNo });
}
