import { VoiceMonitor, type VoiceFrame } from "./activity/voice-monitor.ts";
import { Microphone } from "./microphone.ts";

/** What the sound of the visitor's voice needs from the session. */
interface InputHost {
  readonly peerConnection: RTCPeerConnection | null;
  readonly muted: boolean;
}

interface InputUses {
  /** Whether the service gets the sound. What the browser itself recognizes is not sent. */
  isSent(): boolean;
  /** 10 ms of the microphone, while a voice is looked for. */
  handleFrame(frame: VoiceFrame): void;
}

/** The sound of the visitor's voice, on its way from the microphone to what watches it and to the session's connection. */
export class VoiceInput {
  readonly microphone = new Microphone();
  readonly #host: InputHost;
  readonly #uses: InputUses;
  #monitor: VoiceMonitor | null = null;

  constructor(host: InputHost, uses: InputUses) {
    this.#host = host;
    this.#uses = uses;
  }

  /** The present level, 0 to 1. */
  get level(): number {
    return this.#monitor?.level ?? 0;
  }

  /** Begins to look for a voice. Rejects when the page does not allow the worklet. */
  async detect(): Promise<void> {
    await this.#monitor?.detect();
  }

  /** Watches this track of the microphone from now on. */
  watch(track: MediaStreamTrack): void {
    track.enabled = !this.#host.muted;
    if (!this.#monitor) {
      this.#monitor = new VoiceMonitor();
      this.#monitor.events.on("frame", this.#uses.handleFrame);
    }
    this.#monitor.listen(track);
  }

  /** Gives the connection the track: the present one, which recovery may have replaced. */
  async attach(): Promise<void> {
    const transceivers = this.#host.peerConnection?.getTransceivers() ?? [];
    const sender = transceivers.find(({ receiver }) => receiver.track.kind === "audio")?.sender;
    const track = this.#uses.isSent() ? this.microphone.track : null;
    if (sender && sender.track !== track) await sender.replaceTrack(track);
  }

  /** Releases the device. */
  close(): void {
    this.microphone.close();
    this.#monitor?.close();
    this.#monitor = null;
    this.attach().catch(() => undefined);
  }
}
