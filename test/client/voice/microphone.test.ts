import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Microphone } from "../../../src/client/voice/microphone.ts";

/** A track of a device, as the browser has it: it ends when the device is unplugged. */
class DeviceTrack {
  readonly kind = "audio";
  readyState = "live";
  enabled = true;
  onended: (() => void) | null = null;
  readonly deviceId: string;

  constructor(deviceId: string) {
    this.deviceId = deviceId;
  }

  getSettings(): { deviceId: string } {
    return { deviceId: this.deviceId };
  }

  stop(): void {
    this.readyState = "ended";
  }
}

/** The system's devices for sound: names, the first of which is its default. */
class Devices extends EventTarget {
  names: string[] = ["built-in"];
  /** Until then, a device that is asked for does not work yet. */
  worksFromMs = 0;
  readonly open: DeviceTrack[] = [];
  asked = 0;

  enumerateDevices(): Promise<object[]> {
    const named = (deviceId: string, name: string) => ({
      kind: "audioinput",
      deviceId,
      groupId: `group of ${name}`,
      label: deviceId === "default" ? `Default - ${name}` : name,
    });
    const [first] = this.names;
    const own = this.names.map((name) => named(name, name));
    return Promise.resolve(first === undefined ? [] : [named("default", first), ...own]);
  }

  getUserMedia({ audio }: { audio: { deviceId?: { exact: string } } }): Promise<object> {
    this.asked++;
    const name = audio.deviceId?.exact ?? this.names[0];
    if (name === undefined || !this.names.includes(name))
      return Promise.reject(new DOMException("", "NotFoundError"));
    if (Date.now() < this.worksFromMs) return Promise.reject(new DOMException("", "NotReadableError"));
    const track = new DeviceTrack(name);
    this.open.push(track);
    return Promise.resolve({ getAudioTracks: () => [track] });
  }

  /** What the system does when its devices are these. Tracks of devices that are gone end. */
  become(...names: string[]): void {
    this.names = names;
    // One headset is several devices, and comes in several steps.
    for (const _ of [1, 2, 3]) this.dispatchEvent(new Event("devicechange"));
    for (const track of this.open)
      if (track.readyState === "live" && !names.includes(track.deviceId)) {
        track.stop();
        track.onended?.();
      }
  }
}

let devices: Devices;
let microphone: Microphone;
/** The devices that have taken over, and "lost". */
let told: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  devices = new Devices();
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("navigator", { mediaDevices: devices });
  vi.stubGlobal("window", { top: null, self: null });
  vi.stubGlobal("document", {});
  vi.stubGlobal("HTMLMediaElement", EventTarget);
  microphone = new Microphone();
  told = [];
  microphone.events.on("track", (track) => told.push(track.getSettings().deviceId ?? ""));
  microphone.events.on("lost", () => told.push("lost"));
});

afterEach(() => {
  microphone.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const live = (): string[] =>
  devices.open.filter(({ readyState }) => readyState === "live").map(({ deviceId }) => deviceId);

/** The longest time in which another device has to take over, in ms. */
const limitMs = 2_000;

test("another default of the system takes over within 2 s, and the one before is released", async () => {
  await microphone.open();
  devices.become("headset", "built-in");
  await vi.advanceTimersByTimeAsync(limitMs);
  expect([told, live(), devices.asked]).toEqual([["headset"], ["headset"], 2]);
  devices.become("built-in");
  await vi.advanceTimersByTimeAsync(limitMs);
  expect([told, live()]).toEqual([["headset", "built-in"], ["built-in"]]);
});

test("a headset that takes a moment to work is used as soon as it does, within 2 s", async () => {
  await microphone.open();
  devices.worksFromMs = 1_400;
  devices.become("headset", "built-in");
  await vi.advanceTimersByTimeAsync(1_300);
  expect([told, live()]).toEqual([[], ["built-in"]]);
  await vi.advanceTimersByTimeAsync(limitMs - 1_300);
  expect([told, live()]).toEqual([["headset"], ["headset"]]);
});

test("one that never works leaves the device that does", async () => {
  await microphone.open();
  devices.worksFromMs = Infinity;
  devices.become("headset", "built-in");
  await vi.advanceTimersByTimeAsync(60_000);
  expect([told, live()]).toEqual([[], ["built-in"]]);
});

test("an unplugged device is replaced within 2 s, also where the next one takes a moment", async () => {
  devices.names = ["headset", "built-in"];
  await microphone.open();
  devices.worksFromMs = 1_000;
  devices.become("built-in");
  await vi.advanceTimersByTimeAsync(limitMs);
  expect([told, live()]).toEqual([["built-in"], ["built-in"]]);
});

test("where no device is left, that is told within 2 s", async () => {
  await microphone.open();
  devices.become();
  await vi.advanceTimersByTimeAsync(limitMs);
  expect([told, live(), microphone.track]).toEqual([["lost"], [], null]);
});

test("a device that the visitor has chosen stays when the system's default changes, and is used again when it is back", async () => {
  devices.names = ["built-in", "headset"];
  await microphone.open();
  await microphone.choose("headset");
  devices.become("screen", "built-in", "headset");
  await vi.advanceTimersByTimeAsync(limitMs);
  expect(told).toEqual(["headset"]);
  devices.become("built-in");
  await vi.advanceTimersByTimeAsync(limitMs);
  devices.become("built-in", "headset");
  await vi.advanceTimersByTimeAsync(limitMs);
  expect([told, live()]).toEqual([["headset", "built-in", "headset"], ["headset"]]);
});

test("a device that comes and changes nothing is left alone", async () => {
  await microphone.open();
  devices.become("built-in", "camera");
  await vi.advanceTimersByTimeAsync(60_000);
  expect([told, devices.asked]).toEqual([[], 1]);
});

test("a microphone that is closed follows nothing", async () => {
  await microphone.open();
  microphone.close();
  devices.become("headset");
  await vi.advanceTimersByTimeAsync(60_000);
  expect([told, live(), devices.asked, vi.getTimerCount()]).toEqual([[], [], 1, 0]);
});
