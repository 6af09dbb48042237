import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import { modal } from "../parts/dialog.ts";
import { texts } from "../texts/texts.ts";
import { icon } from "../parts/icons.ts";

/** Whether this browser lets the page use a camera: only pages of https and of this machine may. */
const hasCamera = (): boolean => "mediaDevices" in navigator;

type Failure = "refused" | "missing" | "broken";

function failureOf(error: unknown): Failure {
  const { name } = error instanceof DOMException ? error : { name: "" };
  if (name === "NotAllowedError") return "refused";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "missing" : "broken";
}

/** Takes a picture with the camera. The camera is on while the dialog is there. */
class CameraDialog extends LitElement {
  static override properties: PropertyDeclarations = {
    onTaken: { attribute: false },
    onClose: { attribute: false },
    isReady: { state: true },
    failure: { state: true },
  };
  declare onTaken: (photo: File) => void;
  declare onClose: () => void;
  declare isReady: boolean;
  declare failure: Failure | null;
  readonly #video = createRef<HTMLVideoElement>();
  #stream: MediaStream | null = null;

  constructor() {
    super();
    this.isReady = false;
    this.failure = null;
  }

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  #stop(): void {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
  }

  async #start(): Promise<void> {
    try {
      const size = { ideal: 1_280 };
      const stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: "user", width: size, height: size },
      });
      this.#stream = stream;
      // Unplugged, or no longer allowed: the video would stand still.
      for (const track of stream.getVideoTracks())
        track.addEventListener("ended", () => (this.failure = "broken"));
      // Closed while the browser asked for permission.
      if (!this.isConnected) {
        this.#stop();
        return;
      }
      await this.updateComplete;
      const video = this.#video.value;
      if (!video) return;
      video.srcObject = stream;
      await video.play();
      this.isReady = true;
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  protected override render(): TemplateResult {
    const { camera } = texts.photo;
    const content = html`${
        this.failure
          ? html`<p class="err" role="alert">${camera[this.failure]}</p>`
          : html`<p>${camera.advice}</p>
              <video
                class="camera"
                muted
                playsinline
                aria-label=${camera.picture}
                ${ref(this.#video)}
              ></video>`
      }
      <div class="acts">
        <button class="btn" type="button" @click=${this.onClose}>${texts.cancel}</button>
        ${
          this.failure
            ? nothing
            : html`<button
                class="btn pri"
                type="button"
                ?disabled=${!this.isReady}
                @click=${() => void this.#take()}
              >
                ${camera.take}
              </button>`
        }
      </div>`;
    return modal({ title: camera.title, content, onClose: this.onClose });
  }

  /** The picture as it is, not mirrored as it is shown. */
  async #take(): Promise<void> {
    const video = this.#video.value;
    if (!video) return;
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    canvas.getContext("2d")?.drawImage(video, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.95 });
    this.onTaken(new File([blob], texts.photo.camera.file, { type: blob.type }));
  }
}

customElements.define("visavis-console-camera", CameraDialog);

/** A dialog with the camera's picture. */
export const cameraDialog = (onTaken: (photo: File) => void, onClose: () => void): TemplateResult =>
  html`<visavis-console-camera .onTaken=${onTaken} .onClose=${onClose}></visavis-console-camera>`;

const accepted = "image/jpeg,image/png,image/webp,image/avif";

interface PhotoChoice {
  onChosen: (file: File) => void;
  onCamera: () => void;
}

/** Chooses a file of this device, or the camera. There is no way to name an address: pictures of others are not collected from the web. */
export function photoChoice({ onChosen, onCamera }: PhotoChoice): TemplateResult {
  const { choose } = texts.photo;
  const change = ({ target }: Event): void => {
    const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
    if (file) onChosen(file);
  };
  return html`<section class="sheet" aria-labelledby="photo-choose">
    <header><h2 id="photo-choose" tabindex="-1">${choose.title}</h2></header>
    <div class="drop">
      ${icon("person", 22)}
      <p><b>${choose.drop}</b> <label class="lk" for="photo-file">${choose.file}</label></p>
      <p class="s q2" id="photo-kinds">${choose.kinds}</p>
      <input
        class="choose"
        id="photo-file"
        type="file"
        accept=${accepted}
        aria-describedby="photo-kinds"
        @change=${change}
      />
    </div>
    ${
      hasCamera()
        ? html`<button class="btn" type="button" @click=${onCamera}>${choose.camera}</button>`
        : nothing
    }
    <h3>${choose.good}</h3>
    <ul class="advice">
      ${choose.advice.map((line) => html`<li>${line}</li>`)}
    </ul>
    <p class="note">${icon("lock")}<span>${choose.private}</span></p>
  </section>`;
}

/** The chosen photograph, as long as nothing was made of it. */
export function chosenPhoto({ address }: { address: string }): TemplateResult {
  const hide = ({ target }: Event): void => {
    if (target instanceof HTMLElement) target.hidden = true;
  };
  return html`<div class="face">
    <img src=${address} alt=${texts.photo.chosen.picture} @error=${hide} />
  </div>`;
}

/** A picture before any other file; null: there is no file, as when a picture of another page is dropped. */
function pictureOf(given: DataTransfer | null): File | null {
  const files = [...(given?.files ?? [])];
  return files.find(({ type }) => type.startsWith("image/")) ?? files[0] ?? null;
}

/** What a browser would open in place of this page, or leave in a field of it. */
const opened = ["Files", "text/uri-list"];

/**
 * Takes pictures that are dropped anywhere on the page, or pasted. Without it, a file that misses its place would replace the page,
 * with all that was made there.
 */
export class GivenPictures implements ReactiveController {
  readonly #take: (file: File | null) => void;
  #stop = new AbortController();

  /** `take` gets the file that was dropped or pasted; null: what was dropped is no file. */
  constructor(host: ReactiveControllerHost, take: (file: File | null) => void) {
    this.#take = take;
    host.addController(this);
  }

  hostConnected(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    addEventListener("dragover", this.#over, { signal });
    addEventListener("drop", this.#drop, { signal });
    addEventListener("paste", this.#paste, { signal });
  }

  hostDisconnected(): void {
    this.#stop.abort();
  }

  readonly #over = (event: DragEvent): void => {
    if (event.dataTransfer?.types.some((type) => opened.includes(type))) event.preventDefault();
  };

  readonly #drop = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.some((type) => opened.includes(type))) return;
    event.preventDefault();
    this.#take(pictureOf(event.dataTransfer));
  };

  readonly #paste = (event: ClipboardEvent): void => {
    const file = pictureOf(event.clipboardData);
    if (!file) return;
    event.preventDefault();
    this.#take(file);
  };
}
