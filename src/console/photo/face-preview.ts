import type { MakerRequest } from "../../photo-making/maker-requests.ts";
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import type { FormResources } from "../../protocol/console/form-resources.ts";
import { voiceSampleMaxLength } from "../../protocol/console/previews.ts";
import type { TtsResponse } from "../../protocol/speech/speech.ts";
import { errorText } from "../parts/error-text.ts";
import { select } from "../parts/field.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { voiceIcon } from "../voices/voice-sample.ts";
import type { MakerFrame } from "./maker-frame.ts";
import { speechSample } from "./photo-requests.ts";

/** A pose as the maker takes it. */
type Pose = Extract<MakerRequest, { type: "frame" }>["pose"];

/** What somebody lets the face do to see it. */
type Gesture = "blink" | "turn";

/** How long each takes, in ms. A blink is slower than a real one, to be looked at. */
const lengthMs: Readonly<Record<Gesture, number>> = { blink: 700, turn: 3_200 };

/** The pose of a gesture that began `ms` ago; null: it is over. */
export function gesturePose(kind: Gesture, ms: number): Pose | null {
  const share = ms / lengthMs[kind];
  if (share >= 1) return null;
  if (kind === "blink") return { blink: Math.sin(Math.PI * share) };
  // To one side, then to the other. The eyes stay on the visitor.
  const headTurn = Math.sin(2 * Math.PI * share);
  return { headTurn, gazeX: -0.85 * headTurn };
}

/** The side of the picture, in pixels. */
const sidePx = 384;
/** Drawing shares its thread with the page. */
const frameGapMs = 33;

/** The made face: it looks and blinks as visitors will see it, and says a sentence in a voice of the service. */
class FacePreview extends LitElement {
  static override properties: PropertyDeclarations = {
    services: { attribute: false },
    maker: { attribute: false },
    voices: { attribute: false },
    isSpeaking: { state: true },
    failure: { state: true },
  };
  declare services: Services;
  declare maker: MakerFrame;
  declare voices: FormResources["tts_types"];
  declare isSpeaking: boolean;
  declare failure: string;
  readonly #canvas = createRef<HTMLCanvasElement>();
  readonly #sentence = createRef<HTMLInputElement>();
  #voice = "";
  #gesture: { kind: Gesture; beganMs: number } | null = null;
  #frame = 0;
  #askedMs = -Infinity;
  #isAwaited = false;
  #sound: HTMLAudioElement | null = null;
  #attempt = 0;

  constructor() {
    super();
    this.voices = [];
    this.isSpeaking = false;
    this.failure = "";
  }

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.maker.onFrame = (picture) => this.#show(picture);
    this.#frame = requestAnimationFrame(this.#step);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    cancelAnimationFrame(this.#frame);
    this.maker.onFrame = () => undefined;
    this.#stop();
  }

  readonly #step = (nowMs: number): void => {
    this.#frame = requestAnimationFrame(this.#step);
    if (this.#isAwaited || this.maker.step !== null || nowMs - this.#askedMs < frameGapMs - 4) return;
    this.#askedMs = nowMs;
    this.#isAwaited = true;
    const { kind = null, beganMs = 0 } = this.#gesture ?? {};
    const pose = kind && gesturePose(kind, nowMs - beganMs);
    if (!pose) this.#gesture = null;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.maker.frame({ atMs: nowMs, side: sidePx, pose: pose ?? {}, isCalm });
  };

  #show(picture: ImageData): void {
    this.#isAwaited = false;
    this.#canvas.value?.getContext("2d")?.putImageData(picture, 0, 0);
  }

  #begin(kind: Gesture): void {
    this.#gesture = { kind, beganMs: performance.now() };
  }

  protected override render(): TemplateResult {
    const { preview } = texts.photo;
    return html`<div class="face">
        <canvas
          width=${sidePx}
          height=${sidePx}
          role="img"
          aria-label=${preview.face}
          ${ref(this.#canvas)}
        ></canvas>
      </div>
      <div class="row w moves">
        <button class="btn sm" type="button" @click=${() => this.#begin("blink")}>${preview.blink}</button>
        <button class="btn sm" type="button" @click=${() => this.#begin("turn")}>${preview.turn}</button>
      </div>
      ${this.voices.length === 0 ? nothing : this.#speech()}`;
  }

  #speech(): TemplateResult {
    const { preview } = texts.photo;
    const submit = (event: Event): void => {
      event.preventDefault();
      if (this.isSpeaking) this.#stop();
      else void this.#say();
    };
    return html`<form class="stack t says" @submit=${submit}>
      <div class="f">
        <label for="photo-sentence">${preview.sentence}</label>
        <input
          class="in"
          id="photo-sentence"
          autocomplete="off"
          maxlength=${voiceSampleMaxLength}
          .defaultValue=${preview.example}
          ${ref(this.#sentence)}
        />
      </div>
      <div class="with">
        ${select({
          label: preview.voice,
          value: this.#voice,
          choices: this.voices.map(({ name }) => ({
            value: name,
            label: texts.photo.voices[name]?.name ?? name,
          })),
          onChange: (name) => (this.#voice = name),
        })}
        <button class="btn" type="submit">
          ${voiceIcon(this.isSpeaking ? "pause" : "play")}${this.isSpeaking ? preview.stop : preview.say}
        </button>
      </div>
      ${this.failure === "" ? nothing : html`<p class="err" role="alert">${this.failure}</p>`}
    </form>`;
  }

  async #say(): Promise<void> {
    this.#stop();
    const attempt = ++this.#attempt;
    this.isSpeaking = true;
    this.failure = "";
    const text = this.#sentence.value?.value.trim() || texts.photo.preview.example;
    try {
      const speech = await speechSample(this.services.api, this.#voice || (this.voices[0]?.name ?? ""), text);
      if (attempt === this.#attempt) await this.#play(speech);
    } catch (error) {
      if (attempt !== this.#attempt) return;
      this.#stop();
      this.failure = `${texts.photo.preview.failed} ${errorText(error)}`;
    }
  }

  async #play({ audio, words, visemes, loudness }: TtsResponse): Promise<void> {
    const bytes = Uint8Array.from(atob(audio), (letter) => letter.charCodeAt(0));
    const address = URL.createObjectURL(new Blob([bytes], { type: "audio/wav" }));
    const sound = new Audio(address);
    this.#sound = sound;
    sound.addEventListener("playing", () => {
      const atMs = performance.now() - sound.currentTime * 1_000;
      this.maker.speak({ atMs, speech: { words, visemes, loudness } });
    });
    sound.addEventListener("ended", () => {
      if (this.#sound === sound) this.#stop();
    });
    await sound.play();
  }

  #stop(): void {
    this.#attempt++;
    if (this.#sound) {
      this.#sound.pause();
      URL.revokeObjectURL(this.#sound.src);
      this.maker.hush(performance.now());
    }
    this.#sound = null;
    this.isSpeaking = false;
  }
}

customElements.define("visavis-console-photo-face", FacePreview);
