import type { AudioDevices, MicrophoneFault } from "../session-events.ts";
import { VisavisError } from "../visavis-error.ts";
import { TypedEvents } from "../typed-events.ts";

/** Systems tell of one headset in several steps. The devices are looked at so long after the first, in ms. */
const settleMs = 250;

/** Calls `handle` soon after devices were plugged in or out, or the system's default was changed. Returns what ends that. */
export function watchDevices(handle: () => void): () => void {
  if (!("mediaDevices" in navigator)) return () => undefined;
  const { mediaDevices } = navigator;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      handle();
    }, settleMs);
  };
  mediaDevices.addEventListener("devicechange", look);
  return () => {
    mediaDevices.removeEventListener("devicechange", look);
    clearTimeout(timer);
  };
}

/**
 * Which microphone is the system's default at the moment; null where the browser does not tell. Such browsers follow the system by
 * themselves, or let the visitor choose a device when they ask for permission.
 */
async function defaultDevice(): Promise<string | null> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  const chosen = devices.find(({ kind, deviceId }) => kind === "audioinput" && deviceId === "default");
  return chosen ? `${chosen.groupId} ${chosen.label}` : null;
}

/** The devices for sound that the visitor may choose from. Browsers name them once the microphone has been allowed. */
export async function audioDevices(): Promise<AudioDevices> {
  if (!("mediaDevices" in navigator)) return { microphones: [], speakers: [] };
  const devices = await navigator.mediaDevices.enumerateDevices();
  const named = (kind: MediaDeviceKind) =>
    devices
      .filter((device) => device.kind === kind && device.label && device.deviceId !== "default")
      .map(({ deviceId, label }) => ({ id: deviceId, label }));
  const canChoose = "setSinkId" in HTMLMediaElement.prototype;
  return { microphones: named("audioinput"), speakers: canChoose ? named("audiooutput") : [] };
}

/** Plays an element's sound on a device, "" for the system's own. While the device is not there, it is the system's. */
export async function playOn(element: HTMLMediaElement | null, deviceId: string): Promise<void> {
  // Not every browser can.
  if (!element || !("setSinkId" in element)) return;
  try {
    // A device that was unplugged stays the element's, and nothing is heard.
    const isThere = deviceId !== "" && (await audioDevices()).speakers.some(({ id }) => id === deviceId);
    await element.setSinkId(isThere ? deviceId : "");
  } catch {
    await element.setSinkId("").catch(() => undefined);
  }
}

/** Where a microphone is asked for. */
interface MicrophonePlace {
  /** The browser has microphones for this page at all. */
  readonly secure: boolean;
  /** The page is inside another one. */
  readonly framed: boolean;
  /** What the page's policy says; null where the browser does not tell. */
  readonly allowed: boolean | null;
}

/** What the page's policy says (Permissions Policy, section 9.1); null in browsers that do not tell. */
function allowedByPolicy(): boolean | null {
  const policy: unknown = Reflect.get(document, "featurePolicy");
  if (typeof policy !== "object" || policy === null || !("allowsFeature" in policy)) return null;
  const { allowsFeature } = policy;
  return typeof allowsFeature === "function"
    ? Reflect.apply(allowsFeature, policy, ["microphone"]) === true
    : null;
}

/** The page that this script runs in. */
function presentPlace(): MicrophonePlace {
  return {
    secure: isSecureContext && "mediaDevices" in navigator,
    framed: window.top !== window.self,
    allowed: allowedByPolicy(),
  };
}

/** Why there is no microphone, from what `getUserMedia` rejected with (Media Capture and Streams, section 10.2). */
export function microphoneFault(
  error: unknown,
  { secure, framed, allowed }: MicrophonePlace,
): MicrophoneFault {
  if (!secure) return "insecure";
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "missing";
  if (name === "NotAllowedError" || name === "SecurityError") {
    if (allowed === false || name === "SecurityError") return framed ? "frame" : "policy";
    return "denied";
  }
  return "busy";
}

const messages: Readonly<Record<MicrophoneFault, string>> = {
  denied: "The visitor or the browser does not allow the microphone.",
  policy: "The page's Permissions-Policy does not allow the microphone.",
  frame: 'The page around this frame does not allow the microphone. Give its iframe allow="microphone".',
  insecure: "Browsers have microphones only for pages served over https and on localhost.",
  missing: "There is no microphone.",
  busy: "The microphone is in use by another program, or does not work.",
  lost: "The microphone was unplugged.",
  silent: "Nothing is heard from the microphone.",
  unclear: "Nothing was understood.",
  failed: "The speech could not be recognized.",
};

const denials: readonly MicrophoneFault[] = ["denied", "policy", "frame"];

/** The error that tells the page of a fault. */
export function microphoneError(fault: MicrophoneFault, cause?: unknown): VisavisError {
  const code = denials.includes(fault) ? "microphone_denied" : "microphone_unavailable";
  return new VisavisError(fault === "failed" ? "engine_failed" : code, messages[fault], cause);
}

interface MicrophoneEvents {
  /** Another device has taken over: the last one was unplugged, the visitor has chosen another, or the system has another default. */
  track: MediaStreamTrack;
  /** The device was unplugged, and there is no other. */
  lost: undefined;
}

/** Faults that a device may have for a moment, while the system switches to it. */
const comesLater: readonly MicrophoneFault[] = ["missing", "busy"];

/** What the browser does to the sound. Each browser ignores what it cannot do. */
const processing: MediaTrackConstraints = {
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
  channelCount: 1,
};

/** How often the next device is asked for, and the pause between, in ms: a headset that comes or goes takes a moment to work. */
const triesMax = 4;
const againMs = 400;

async function request(deviceId: string): Promise<MediaStream> {
  if (!presentPlace().secure) throw new Error("There are no media devices here.");
  const chosen = deviceId ? { deviceId: { exact: deviceId } } : {};
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: { ...processing, ...chosen } });
  } catch (error) {
    // The chosen device may be gone; any other one is better than none.
    const isGone = error instanceof Error && /^(?:NotFoundError|OverconstrainedError)$/.test(error.name);
    if (!deviceId || !isGone) throw error;
    return navigator.mediaDevices.getUserMedia({ audio: processing });
  }
}

/** The visitor's microphone. Owns its track, which is stopped when it is closed. */
export class Microphone {
  readonly events = new TypedEvents<MicrophoneEvents>();
  /** Id of the device that the visitor has chosen; "" for the system's default. */
  #deviceId = "";
  #track: MediaStreamTrack | null = null;
  /** The system's default when the track was opened. */
  #defaultDevice: string | null = null;
  #stopWatching: (() => void) | null = null;
  #opening: Promise<MediaStreamTrack> | null = null;
  /** The number of the present opening. One that was closed meanwhile must not leave a device open. */
  #attempt = 0;

  get track(): MediaStreamTrack | null {
    return this.#track;
  }

  /** Opens the device, or gives the one that is open. Rejects with VisavisError, whose cause is a MicrophoneFault. */
  open(): Promise<MediaStreamTrack> {
    if (this.#track) return Promise.resolve(this.#track);
    return (this.#opening ??= this.#open().finally(() => (this.#opening = null)));
  }

  close(): void {
    this.#attempt++;
    this.#opening = null;
    this.#drop();
  }

  /** Uses another device from now on: at once if one is open. */
  async choose(deviceId: string): Promise<void> {
    if (deviceId === this.#deviceId) return;
    this.#deviceId = deviceId;
    if (this.#track) await this.#replace();
  }

  async #open(): Promise<MediaStreamTrack> {
    const attempt = ++this.#attempt;
    let stream: MediaStream;
    try {
      stream = await request(this.#deviceId);
    } catch (error) {
      throw new MicrophoneFailure(microphoneFault(error, presentPlace()), error);
    }
    const [track] = stream.getAudioTracks();
    if (!track || attempt !== this.#attempt) {
      track?.stop();
      throw new MicrophoneFailure("missing");
    }
    this.#drop();
    this.#track = track;
    track.onended = () => void this.#replace();
    this.#stopWatching = watchDevices(() => void this.#follow());
    void this.#noteDefault();
    return track;
  }

  async #noteDefault(): Promise<void> {
    // Without it, the system's default is not followed.
    this.#defaultDevice = await defaultDevice().catch(() => null);
  }

  /** Devices have changed. The chosen one is used as soon as it is back; where the visitor has chosen none, the system's default. */
  async #follow(): Promise<void> {
    const before = this.#track;
    if (!before) return;
    const isWanted = this.#deviceId ? await this.#isBack(before) : await this.#isOtherDefault();
    if (isWanted && before === this.#track) await this.#replace();
  }

  async #isBack(track: MediaStreamTrack): Promise<boolean> {
    if (track.getSettings().deviceId === this.#deviceId) return false;
    const devices = await audioDevices().catch(() => null);
    return devices?.microphones.some(({ id }) => id === this.#deviceId) ?? false;
  }

  async #isOtherDefault(): Promise<boolean> {
    const present = await defaultDevice().catch(() => null);
    return present !== null && this.#defaultDevice !== null && present !== this.#defaultDevice;
  }

  /** The device is gone, or another one is wanted: that one takes over. */
  async #replace(): Promise<void> {
    const before = this.#track;
    for (let tries = 1; before === this.#track; tries++) {
      try {
        const track = await (this.#opening ??= this.#open().finally(() => (this.#opening = null)));
        if (track !== before) this.events.emit("track", track);
        return;
      } catch (error) {
        const mayCome = error instanceof MicrophoneFailure && comesLater.includes(error.fault);
        if (mayCome && tries < triesMax) await new Promise((resolve) => setTimeout(resolve, againMs));
        else {
          this.#giveUp(before);
          return;
        }
      }
    }
  }

  /** No other device can be had. */
  #giveUp(before: MediaStreamTrack | null): void {
    if (before !== this.#track || before?.readyState === "live") return;
    this.#drop();
    this.events.emit("lost", undefined);
  }

  #drop(): void {
    if (!this.#track) return;
    this.#stopWatching?.();
    this.#track.onended = null;
    this.#track.stop();
    this.#track = null;
  }
}

/** Why a microphone could not be opened. */
export class MicrophoneFailure extends Error {
  readonly fault: MicrophoneFault;

  constructor(fault: MicrophoneFault, cause?: unknown) {
    super(microphoneError(fault).message, { cause });
    this.fault = fault;
  }
}
