import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import { modal } from "../parts/dialog.ts";
import { texts } from "../texts/texts.ts";

/** Whether this browser lets the page use a camera: only pages of https and of this machine may. */
export const hasCamera = (): boolean => "mediaDevices" in navigator;

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
