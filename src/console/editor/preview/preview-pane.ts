import { html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { Paddings } from "../../../protocol/settings/stage-settings.ts";
import { texts } from "../../texts/texts.ts";
import { previewReportSchema, type PreviewReport, type PreviewShow } from "./preview-message.ts";
import { chat, noticeText, previewActions, previewBar, type Device } from "./preview-views.ts";

/** What the preview shows, but for what its own switches say. */
export type PreviewContent = Omit<PreviewShow, "type" | "mode" | "attributes" | "isEntered" | "run"> & {
  readonly attributes: Omit<PreviewShow["attributes"], "theme">;
  /** The owner's choice; `auto`: the preview's switch decides. */
  readonly theme: "auto" | "light" | "dark";
  /** What is written below the preview; empty: nothing. */
  readonly hint: string;
  readonly isBehind: boolean;
};

/** The element on a page, or a conversation in writing. */
type Mode = PreviewShow["mode"];

/** Sizes of the devices, in CSS pixels. */
const sizes: Readonly<Record<Device, { width: number; height: number }>> = {
  desktop: { width: 680, height: 720 },
  phone: { width: 390, height: 844 },
};

/** How high the band is that stays of the preview on a phone, in CSS pixels. */
const bandHeight = 96;

/** The real widget on a page of its own, in the size of a device, with what is typed. */
export class PreviewPane extends LitElement {
  static override properties: PropertyDeclarations = {
    content: { attribute: false },
    device: { state: true },
    dark: { state: true },
    hasFailed: { state: true },
    isEntered: { state: true },
    isTrying: { state: true },
    isBand: { state: true },
    behind: { state: true },
    answerMs: { state: true },
  };
  declare content: PreviewContent | null;
  declare device: Device;
  declare dark: boolean;
  declare hasFailed: boolean;
  /** The operator uses the element as a visitor does. */
  declare isEntered: boolean;
  declare isTrying: boolean;
  /** The page has scrolled past it: on a phone a band stays. */
  declare isBand: boolean;
  /** The frames whose conversations began before the latest changes. */
  declare behind: readonly Mode[];
  declare answerMs: number | null;
  #runs: Readonly<Record<Mode, number>> = { avatar: 0, text: 0 };
  readonly #sizes = new ResizeObserver(() => this.#fit());
  readonly #scrolled = new IntersectionObserver(
    (entries) => {
      const last = entries.at(-1);
      if (last) this.isBand = !last.isIntersecting && last.boundingClientRect.top < 0;
    },
    { rootMargin: `-${bandHeight}px 0px 0px 0px` },
  );

  constructor() {
    super();
    this.content = null;
    this.device = "desktop";
    this.dark = document.documentElement.dataset["theme"] === "dark";
    this.hasFailed = false;
    this.isEntered = false;
    this.isTrying = false;
    this.isBand = false;
    this.behind = [];
    this.answerMs = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("message", this.#hear);
    this.#scrolled.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("message", this.#hear);
    this.#sizes.disconnect();
    this.#scrolled.disconnect();
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const before = changed.get("content");
    // Another part of the editor shows another state: nobody uses the one before any more.
    if (before && stateOf(before) !== stateOf(this.content)) this.isEntered = false;
  }

  protected override firstUpdated(): void {
    const stage = this.querySelector(".pv-stage");
    if (stage) this.#sizes.observe(stage);
  }

  protected override updated(): void {
    this.#fit();
    for (const frame of this.querySelectorAll("iframe")) this.#send(frame);
  }

  protected override render(): TemplateResult {
    const { preview } = texts.editor;
    const { content, device, dark, isEntered, isTrying, behind } = this;
    const key = this.hasFailed ? null : (content?.contextId ?? null);
    return html`<aside class="pv ${this.isBand && !isTrying ? "band" : ""}" aria-label=${preview.label}>
      ${previewBar({
        device,
        dark,
        address: key === null ? null : `/viewer/${encodeURIComponent(key)}?theme=${this.#theme}`,
        chooseDevice: (chosen) => (this.device = chosen),
        chooseDark: (chosen) => (this.dark = chosen),
      })}
      <div class="pv-stage ${device}">
        <iframe class="pv-frame" src="./preview" title=${preview.frame} allow="microphone; autoplay"></iframe>
      </div>
      ${noticeText({ ...this.#notice, again: () => this.#again("avatar") })}
      ${previewActions({
        isEntered,
        isTrying,
        enter: () => this.#enter(!isEntered),
        tryIt: () => (this.isTrying = true),
      })}
      ${chat({
        isOpen: isTrying,
        isBehind: behind.includes("text"),
        answerMs: this.answerMs,
        close: () => this.#closeChat(),
        again: () => this.#again("text"),
      })}
    </aside>`;
  }

  get #theme(): "light" | "dark" {
    const owner = this.content?.theme ?? "auto";
    if (owner !== "auto") return owner;
    return this.dark ? "dark" : "light";
  }

  /** What is written below the preview, and whether its conversation can begin again. */
  get #notice(): { text: string; isOld: boolean } {
    const { preview } = texts.editor;
    const { content, device, isEntered } = this;
    if (this.hasFailed) return { text: preview.failed, isOld: false };
    if (this.behind.includes("avatar")) return { text: preview.isOld, isOld: true };
    if (content?.isBehind) return { text: preview.waits, isOld: false };
    return { text: device === "desktop" && !isEntered ? (content?.hint ?? "") : "", isOld: false };
  }

  #enter(isEntered: boolean): void {
    this.isEntered = isEntered;
    if (isEntered) this.querySelector<HTMLElement>(".pv-frame")?.focus();
  }

  #closeChat(): void {
    this.isTrying = false;
    this.answerMs = null;
    this.behind = this.behind.filter((mode) => mode !== "text");
  }

  #again(mode: Mode): void {
    this.#runs = { ...this.#runs, [mode]: this.#runs[mode] + 1 };
    this.requestUpdate();
  }

  /** The frame has the device's size, and is scaled to what there is. */
  #fit(): void {
    const stage = this.querySelector<HTMLElement>(".pv-stage");
    const frame = this.querySelector<HTMLElement>(".pv-frame");
    // The band shows a part of the frame as it was.
    if (!stage || !frame || (this.isBand && !this.isTrying)) return;
    const { width, height } = sizes[this.device];
    const isDesktop = this.device === "desktop";
    const scale = Math.min(stage.clientWidth / width, isDesktop ? Infinity : stage.clientHeight / height);
    if (scale === 0) return;
    frame.style.width = `${width}px`;
    // A desktop's page is as high as the stage shows.
    frame.style.height = `${isDesktop ? stage.clientHeight / scale : height}px`;
    frame.style.transform = `scale(${scale})`;
  }

  #send(frame: HTMLIFrameElement): void {
    const { content } = this;
    if (!content || !frame.contentWindow) return;
    const { attributes, contextId, view, framing, owner, pose } = content;
    const mode = modeOf(frame);
    const isText = mode === "text";
    const message: PreviewShow = {
      type: "visavis-preview",
      contextId,
      view,
      pose: isText || this.isEntered ? null : pose,
      isEntered: isText || this.isEntered,
      run: this.#runs[mode],
      // On a phone the panel is modal: nothing else on its page can be reached.
      framing: isText || this.isEntered || this.device === "phone" ? null : framing,
      attributes: { ...attributes, theme: this.#theme },
      owner,
      mode,
    };
    frame.contentWindow.postMessage(message, location.origin);
  }

  readonly #hear = ({ origin, source, data }: MessageEvent<unknown>): void => {
    const frame = [...this.querySelectorAll("iframe")].find(({ contentWindow }) => contentWindow === source);
    if (origin !== location.origin || !frame) return;
    const report = previewReportSchema.safeParse(data);
    if (report.success) this.#handle(report.data, frame);
  };

  #handle(report: PreviewReport, frame: HTMLIFrameElement): void {
    const mode = modeOf(frame);
    switch (report.type) {
      case "visavis-preview-ready":
        this.#send(frame);
        break;
      case "visavis-preview-shown":
        this.behind = this.behind.filter((other) => other !== mode);
        if (mode === "text") break;
        this.hasFailed = false;
        this.dataset["shown"] = report.contextId;
        break;
      case "visavis-preview-failed":
        this.hasFailed = true;
        break;
      case "visavis-preview-behind":
        if (!this.behind.includes(mode)) this.behind = [...this.behind, mode];
        break;
      case "visavis-preview-framing":
        this.dispatchEvent(new CustomEvent<Paddings>("framing", { detail: report.paddings }));
        break;
      case "visavis-preview-answer":
        if (mode === "text") this.answerMs = report.ms;
        break;
    }
  }
}

/** The state of the element that a content asks for. */
const stateOf = (content: PreviewContent | null): string =>
  `${content?.pose?.kind ?? ""} ${content?.view ?? ""}`;

const modeOf = (frame: HTMLIFrameElement): Mode =>
  frame.classList.contains("try-frame") ? "text" : "avatar";

customElements.define("visavis-console-preview", PreviewPane);
