import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import { makerAnswerSchema, type MakerAnswer, type MakerStep } from "../../photo-making/maker-answers.ts";
import type { MakerRequest } from "../../photo-making/maker-requests.ts";
import { texts } from "../texts/texts.ts";

type Request<Type extends MakerRequest["type"]> = Omit<Extract<MakerRequest, { type: Type }>, "type" | "id">;

/** What came of a photograph. */
export type Verdict = Extract<MakerAnswer, { type: "made" | "refused" | "failed" }>;
export type MadeFace = Extract<Verdict, { type: "made" }>;

/** Without a graphics card the models take up to a minute. */
const withinMs = 180_000;

/** The page that makes characters, in a frame without a picture. Nothing of it is loaded before it is needed. */
export class MakerFrame implements ReactiveController {
  /** What it is doing; null: nothing. */
  step: MakerStep | "start" | null = null;
  /** Gets the pictures that `frame` asks for. */
  onFrame: (picture: ImageData) => void = () => undefined;
  readonly #host: ReactiveControllerHost;
  readonly #frame = createRef<HTMLIFrameElement>();
  #isNeeded = false;
  #isReady = false;
  /** It may be unable to make anything any more: models that have run out of memory stay broken. */
  #hasFailed = false;
  /** What is sent when the page is there. */
  #waiting: MakerRequest[] = [];
  #last = 0;
  #verdicts = new Map<number, (verdict: Verdict | null) => void>();
  #takeMouths: (pictures: ImageData[]) => void = () => undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("message", this.#take);
  }

  hostDisconnected(): void {
    removeEventListener("message", this.#take);
    for (const settle of this.#verdicts.values()) settle(null);
    this.#verdicts.clear();
    this.#waiting = [];
    this.#isNeeded = false;
    this.#isReady = false;
    this.#hasFailed = false;
    this.step = null;
  }

  /** The frame, once something needs it. */
  view(): TemplateResult | typeof nothing {
    if (!this.#isNeeded) return nothing;
    return html`<iframe
      class="maker"
      src="photo-maker"
      title=${texts.photo.maker}
      tabindex="-1"
      aria-hidden="true"
      ${ref(this.#frame)}
    ></iframe>`;
  }

  /** Makes a character. Null: a later call, or leaving the page, has replaced this one. */
  make(request: Request<"make">): Promise<Verdict | null> {
    for (const settle of this.#verdicts.values()) settle(null);
    this.#verdicts.clear();
    const id = ++this.#last;
    if (request.photo && this.#hasFailed) this.#restart();
    this.#become(this.#isReady ? (request.photo ? "models" : "layers") : "start");
    return new Promise((resolve) => {
      const failed: Verdict = {
        source: "visavis-photo-maker",
        id,
        type: "failed",
        detail: "No answer in time.",
      };
      const timer = setTimeout(() => settle(failed), withinMs);
      const settle = (verdict: Verdict | null): void => {
        clearTimeout(timer);
        this.#verdicts.delete(id);
        if (this.#verdicts.size === 0) this.#become(null);
        if (verdict?.type === "failed") this.#hasFailed = true;
        resolve(verdict);
      };
      this.#verdicts.set(id, settle);
      this.#send({ type: "make", id, ...request });
    });
  }

  /** Pictures of the mouth. */
  mouths(request: Request<"mouths">): Promise<ImageData[]> {
    return new Promise((resolve) => {
      this.#takeMouths = resolve;
      this.#send({ type: "mouths", ...request });
    });
  }

  /** Asks for the picture of this moment; `onFrame` gets it. */
  frame(request: Request<"frame">): void {
    this.#send({ type: "frame", ...request });
  }

  /** Moves the face with a speech whose sound began at `atMs`. */
  speak(request: Request<"speak">): void {
    this.#send({ type: "speak", ...request });
  }

  hush(atMs: number): void {
    this.#send({ type: "hush", atMs });
  }

  #send(request: MakerRequest): void {
    if (this.#isReady) this.#frame.value?.contentWindow?.postMessage(request, location.origin);
    else this.#waiting.push(request);
    if (this.#isNeeded) return;
    this.#isNeeded = true;
    this.#host.requestUpdate();
  }

  /** Loads the page anew. What is asked for meanwhile waits until it is there. */
  #restart(): void {
    this.#hasFailed = false;
    this.#isReady = false;
    this.#waiting = [];
    this.#frame.value?.contentWindow?.location.reload();
  }

  #become(step: MakerFrame["step"]): void {
    this.step = step;
    this.#host.requestUpdate();
  }

  readonly #take = ({ data, origin, source }: MessageEvent<unknown>): void => {
    if (origin !== location.origin || source !== this.#frame.value?.contentWindow) return;
    const answer = makerAnswerSchema.safeParse(data).data;
    switch (answer?.type) {
      case "ready":
        this.#isReady = true;
        for (const request of this.#waiting.splice(0)) this.#send(request);
        break;
      case "progress":
        if (this.#verdicts.size > 0) this.#become(answer.step);
        break;
      case "made":
      case "refused":
      case "failed":
        this.#verdicts.get(answer.id)?.(answer);
        break;
      case "mouths":
        this.#takeMouths(answer.pictures);
        break;
      case "frame":
        this.onFrame(answer.picture);
        break;
      case undefined:
        break;
    }
  };
}
