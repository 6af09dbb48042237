import type { AudioDevices } from "../visitor-voice.ts";

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
export async function defaultDevice(): Promise<string | null> {
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
