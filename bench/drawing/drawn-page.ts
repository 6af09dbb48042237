/** Runs in a page of the benchmark: the widget's own avatar that the browser draws, without a service. */
import type { AvatarConnection, ConnectionEvents } from "../../src/client/link/avatar-connection.ts";
import { TypedEvents } from "../../src/client/typed-events.ts";
import { isPhotoCharacter } from "../../src/protocol/characters/photo-format.ts";
import { createStage } from "../../src/stage/index.ts";
import { readDrawn } from "../../src/widget/drawing/local/drawn-look.ts";
import { LocalCharacter } from "../../src/widget/drawing/local/local-character.ts";
import type { Look } from "../../src/widget/drawing/local/look.ts";
import { readPhoto } from "../../src/widget/drawing/local/photo/photo-look.ts";
import { MessageLog } from "../../src/widget/drawing/message-log.ts";

/** What was counted since it was asked for last. */
export interface DrawnRecords {
  /** How long each shown frame was drawn, in ms. */
  frameCostsMs: number[];
  canvases: number;
  /** How often a canvas got a size: its memory is allocated anew then. */
  sizes: number;
  /** 0 if no task took 50 ms. */
  longestTaskMs: number;
  /** The pixels of all canvases that are still there, in MB. */
  heldMb: number;
}

const records = { frameCostsMs: [] as number[], canvases: 0, sizes: 0, longestTaskMs: 0 };
const seen = new WeakSet<HTMLCanvasElement>();
const canvases = new Set<WeakRef<HTMLCanvasElement>>();

function watchPage(): void {
  const getContext = HTMLCanvasElement.prototype.getContext as (...given: unknown[]) => unknown;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: unknown[]) {
    if (!seen.has(this)) {
      seen.add(this);
      canvases.add(new WeakRef(this));
      records.canvases++;
    }
    return getContext.apply(this, given);
  } as never;
  const native = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, "width")!;
  Object.defineProperty(HTMLCanvasElement.prototype, "width", {
    ...native,
    set(this: HTMLCanvasElement, width: number) {
      if (width > 0) records.sizes++;
      native.set?.call(this, width);
    },
  });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      records.longestTaskMs = Math.max(records.longestTaskMs, duration);
  }).observe({ type: "longtask" });
}

/** The look, with the cost of each of its frames recorded. */
function watched(look: Look): Look {
  return {
    ...look,
    paint(...given) {
      const painting = look.paint(...given);
      const { draw } = painting;
      painting.draw = (pose) => {
        const startMs = performance.now();
        draw.call(painting, pose);
        records.frameCostsMs.push(performance.now() - startMs);
      };
      return painting;
    },
  };
}

const visemes = ["nn", "E", "kk", "SS", "aa", "PP", "oh", "ou", "DD", "ih", "RR", "FF", "aa", "TH", "CH"];
const visemeMs = 85;
const speechMs = 60_000;

/** A minute of plausible speech. */
const speech = {
  message: "A minute of speech",
  duration: speechMs,
  visemes: Array.from({ length: Math.floor(speechMs / visemeMs) }, (_, i) => ({
    viseme: visemes[(i * 7) % visemes.length],
    start: i * visemeMs,
    end: (i + 1) * visemeMs,
  })),
  loudness: Array.from({ length: speechMs / 20 }, (_, i) => 0.5 + 0.4 * Math.sin(i / 3)),
};

/** Shows a character in a frame of `framePx`, speaking. Resolves when its first frame is drawn. */
async function show(file: unknown, framePx: number): Promise<void> {
  const host = document.body.appendChild(document.createElement("div"));
  Object.assign(host.style, { position: "relative", width: `${framePx}px`, height: `${framePx}px` });
  const framing = { paddingLeft: 0, paddingTop: 0, paddingHeight: 1 };
  const options = { background: null, poster: null, matte: "packed-alpha", transparent: true } as const;
  const stage = createStage(host, { ...framing, ...options });
  const look = watched(isPhotoCharacter(file) ? await readPhoto(file) : readDrawn(file));
  const character = await LocalCharacter.load(look, () => framePx);
  const avatar = character.avatar(stage, {
    mayBeSlow: () => true,
    isOnlyWay: () => false,
    isReduced: false,
    framePx,
    isSpeaking: () => true,
    visitorLevel: () => null,
    handleTooSlow: () => undefined,
  });
  const events = new TypedEvents<ConnectionEvents>();
  const link = { stream: null, peerConnection: { getStats: () => Promise.resolve(new Map()) } };
  const fake: unknown = { events, link };
  const connection = fake as AvatarConnection;
  await new Promise<void>((drawn) => avatar.drive(connection, new MessageLog(connection), drawn));
  events.emit("message", { type: "stf", data: speech });
  await new Promise(requestAnimationFrame);
}

function take(): DrawnRecords {
  const held = [...canvases].map((each) => each.deref()).filter((canvas) => canvas !== undefined);
  const bytes = held.reduce((sum, { width, height }) => sum + width * height * 4, 0);
  const taken = { ...records, heldMb: bytes / 1e6 };
  records.frameCostsMs = [];
  records.canvases = records.sizes = records.longestTaskMs = 0;
  return taken;
}

/** What the benchmark calls. */
export const drawnPage = { show, take };

watchPage();
Object.assign(window, { drawnPage });
