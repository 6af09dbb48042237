import * as z from "zod";
import type { Paddings } from "../../protocol/settings/stage-settings.ts";
import type { PreviewReport, PreviewShow } from "../editor/preview/preview-message.ts";
import { definePosedAvatar, posedAvatar, viewAddress } from "./posed-session.ts";

/** What the relay says about a launcher, in the part that matters here. */
const recordSchema = z.object({ widget: z.string().startsWith("/") });

/** What the relay says about a context, in the part that matters here. */
const viewSchema = z.object({ model_style: z.object({ opaque: z.boolean().default(false) }) });

/** The details of events of the element, in the parts that matter here. */
const messageSchema = z.object({
  message: z.object({ id: z.string(), role: z.enum(["visitor", "avatar"]) }),
});
const stateSchema = z.object({ state: z.string() });

/** States in which a conversation would be lost with its element. */
const talking: readonly string[] = ["connecting", "live", "reconnecting"];

/** How long a new element may take until it replaces the old one, in ms. */
const patienceMs = 5_000;

/** How long its pictures may take after that, in ms. */
const picturePatienceMs = 200;

const tagName = "visavis-avatar";

const paddingNames = ["padding_left", "padding_top", "padding_height"] as const;

/** What needs another element, whatever the old one is doing. */
const kindOf = ({ mode, pose, isEntered, run }: PreviewShow): string =>
  JSON.stringify([mode, pose?.kind ?? "", isEntered, run]);

function detailOf<Schema extends z.ZodType>(schema: Schema, event: Event): z.output<Schema> | null {
  return event instanceof CustomEvent ? (schema.safeParse(event.detail).data ?? null) : null;
}

/**
 * The public element as the editor wants it. Settings that are attributes change at once. For all others there is a new element, with
 * another embed key, which replaces the old one when it is drawn, so that nothing flickers. A conversation is not interrupted by that.
 */
export class ShownAvatar {
  readonly #place: HTMLElement;
  readonly #report: (message: PreviewReport) => void;
  #message: PreviewShow | null = null;
  #element: HTMLElement | null = null;
  #isOpaque = false;
  #attempt = 0;
  /** The embed key that was tried last. */
  #tried: string | null = null;
  #isTalking = false;
  /** The element's module, once it is asked for. */
  #defined: Promise<void> | null = null;

  constructor(place: HTMLElement, report: (message: PreviewReport) => void) {
    this.#place = place;
    this.#report = report;
  }

  /** The element's picture; null where none is drawn. */
  get picture(): HTMLElement | null {
    return this.#element?.shadowRoot?.querySelector<HTMLElement>('[part~="window"]') ?? null;
  }

  /** Whether its picture has a background of its own. */
  get isOpaque(): boolean {
    return this.#isOpaque;
  }

  /** Shows the message's settings. */
  show(message: PreviewShow): void {
    const before = this.#message;
    const { contextId } = message;
    this.#message = message;
    this.#dress(this.#element, message);
    if (contextId === null) return;
    const isOtherKind = before === null || kindOf(before) !== kindOf(message);
    if (!isOtherKind && contextId === this.#tried) return;
    if (isOtherKind || !this.#isTalking) void this.#replace(contextId);
    else this.#report({ type: "visavis-preview-behind" });
  }

  /** Moves the avatar in its frame. */
  frame(paddings: Paddings): void {
    for (const name of paddingNames)
      this.#element?.setAttribute(name.replace("_", "-"), String(paddings[name]));
  }

  async #replace(contextId: string): Promise<void> {
    const attempt = ++this.#attempt;
    this.#tried = contextId;
    this.#isTalking = false;
    const address = viewAddress(contextId);
    let isOpaque: boolean;
    try {
      // The element asks for the same address, and gets it from the cache.
      const [view] = await Promise.all([fetch(address, { credentials: "omit" }), this.#define(address)]);
      if (!view.ok) throw new Error(`The relay answered ${view.status}.`);
      isOpaque = viewSchema.parse(await view.json()).model_style.opaque;
    } catch {
      if (attempt !== this.#attempt) return;
      // The next message tries again.
      this.#tried = null;
      this.#report({ type: "visavis-preview-failed", contextId });
      return;
    }
    if (attempt !== this.#attempt || !this.#message) return;
    const element = this.#made(contextId, this.#message);
    await this.#drawn(element);
    if (attempt !== this.#attempt) {
      element.remove();
      return;
    }
    this.#element?.remove();
    this.#element = element;
    this.#isOpaque = isOpaque;
    element.removeAttribute("data-waiting");
    this.#report({ type: "visavis-preview-shown", contextId });
  }

  /** Loads the element's module as a page's loader does. */
  async #define(address: string): Promise<void> {
    this.#defined ??= this.#load(address);
    try {
      await this.#defined;
    } catch (error) {
      // The next message tries again.
      this.#defined = null;
      throw error;
    }
  }

  async #load(address: string): Promise<void> {
    const answer = await fetch(`${address}/launcher`, { credentials: "omit" });
    const { widget } = recordSchema.parse(await answer.json());
    await import(/* @vite-ignore */ location.origin + widget);
    definePosedAvatar(await customElements.whenDefined(tagName));
  }

  #made(contextId: string, message: PreviewShow): HTMLElement {
    const { pose, mode } = message;
    const element = pose ? posedAvatar(pose) : document.createElement(tagName);
    element.setAttribute("relay", location.origin);
    element.setAttribute("context-id", contextId);
    element.setAttribute("mode", mode);
    element.setAttribute("data-waiting", "");
    this.#dress(element, message);
    if (!pose) this.#followConversation(element);
    this.#place.append(element);
    return element;
  }

  #dress(element: HTMLElement | null, { attributes, view, mode, isEntered }: PreviewShow): void {
    const isText = mode === "text";
    const { variant, placement, theme, captions, transparent, paddings } = attributes;
    // A conversation in writing fills its frame, however low that is.
    const shape = isText ? "fullscreen" : variant;
    this.#place.dataset["fit"] = isText ? "whole" : shape;
    if (!element) return;
    element.inert = !isEntered;
    element.setAttribute("variant", shape);
    element.setAttribute("placement", placement);
    element.setAttribute("theme", theme);
    element.setAttribute("captions", captions);
    element.toggleAttribute("transparent", transparent);
    for (const name of paddingNames) {
      const value = paddings[name];
      if (value === undefined) element.removeAttribute(name.replace("_", "-"));
      else element.setAttribute(name.replace("_", "-"), String(value));
    }
    // Who uses it closes it, too.
    if (!isEntered || !element.isConnected) element.toggleAttribute("open", view === "panel");
  }

  /** Resolves when the element shows something, or when that takes too long. */
  async #drawn(element: HTMLElement): Promise<void> {
    const untilMs = performance.now() + patienceMs;
    const isDrawn = (): boolean =>
      element.shadowRoot?.querySelector('[part~="window"], [part~="launcher"], [part~="transcript"]') != null;
    while (!isDrawn() && performance.now() < untilMs)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    const pictures = [...(element.shadowRoot?.querySelectorAll("img") ?? [])];
    const decoded = Promise.all(pictures.map((picture) => picture.decode().catch(() => undefined)));
    // A picture that nobody sees may never be loaded.
    await Promise.race([decoded, new Promise((resolve) => setTimeout(resolve, picturePatienceMs))]);
  }

  /** Knows whether the element has a conversation, and reports how long each answer takes until its first words. */
  #followConversation(element: HTMLElement): void {
    let askedMs: number | null = null;
    element.addEventListener("visavis-statechange", (event) => {
      const state = detailOf(stateSchema, event)?.state ?? "";
      if (element === this.#element) this.#isTalking = talking.includes(state);
    });
    element.addEventListener("visavis-message", (event) => {
      const role = detailOf(messageSchema, event)?.message.role;
      if (role === "visitor") askedMs = performance.now();
      else if (role === "avatar" && askedMs !== null) {
        this.#report({ type: "visavis-preview-answer", ms: performance.now() - askedMs });
        askedMs = null;
      }
    });
  }
}
