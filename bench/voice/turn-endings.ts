import { TypedEvents } from "../../src/client/typed-events.ts";
import { Endpointing, endpointingOf } from "../../src/client/voice/turns/endpointing.ts";
import { HandsFree } from "../../src/client/voice/turns/hands-free.ts";
import { turnSettingsOf } from "../../src/protocol/settings/turn-settings.ts";
import { Resampler } from "../../src/service/audio/resampler.ts";
import type { FliteSynthesizer } from "../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { heardFrames, heardRateHz } from "./heard-frames.ts";
import { seeded } from "./sounds.ts";
import type { SpokenTurn } from "./spoken-turns.ts";

/** How a turn ended. */
export interface Ending {
  readonly turn: SpokenTurn;
  /** It was ended before the visitor had finished. */
  readonly isCutOff: boolean;
  /** From the last sound of the visitor to the turn's end, in ms; NaN if it was never ended. */
  readonly delayMs: number;
  readonly text: string;
}

/** A part that is said, and when its last sound is heard, in ms. */
interface Said {
  readonly text: string;
  readonly endMs: number;
}

const frameMs = 10;
/** Noise of the room before the turn, to which the detector adapts, and silence after it that is long enough to end any turn. In ms. */
const beforeMs = 1_500;
const afterMs = 4_500;
const roomRms = 0.000_8;
/** Samples below this level belong to the silence that Flite adds before and after a text. */
const silence = 0.004;

async function soundOf(flite: FliteSynthesizer, text: string): Promise<Float32Array> {
  const { pcm, sampleRateHz } = await flite.synthesize({ text, voice: "slt" });
  const audio = new Resampler(pcm, sampleRateHz, heardRateHz);
  const read = new Int16Array(audio.length);
  audio.read(0, read);
  const samples = Float32Array.from(read, (sample) => sample / 32_768);
  const isLoud = (sample: number): boolean => Math.abs(sample) > silence;
  return samples.slice(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1);
}

async function spoken(
  flite: FliteSynthesizer,
  turn: SpokenTurn,
): Promise<{ sound: Float32Array; said: Said[] }> {
  const pieces: Float32Array[] = [new Float32Array((beforeMs * heardRateHz) / 1_000)];
  const said: Said[] = [];
  const lengthOf = (): number => pieces.reduce((sum, piece) => sum + piece.length, 0);
  for (const part of turn.parts) {
    if (typeof part === "number") pieces.push(new Float32Array((part * heardRateHz) / 1_000));
    else {
      pieces.push(await soundOf(flite, part));
      said.push({ text: part, endMs: (lengthOf() * 1_000) / heardRateHz });
    }
  }
  pieces.push(new Float32Array((afterMs * heardRateHz) / 1_000));
  const random = seeded(41);
  const sound = Float32Array.from(
    pieces.flatMap((piece) => [...piece]),
    (sample) => sample + random() * roomRms,
  );
  return { sound, said };
}

/**
 * Plays a turn to the widget's own turn-taking. Its recognizer makes no mistakes and takes no time: it returns the parts whose last
 * sound has been played.
 */
export async function endingOf(flite: FliteSynthesizer, turn: SpokenTurn): Promise<Ending> {
  const { sound, said } = await spoken(flite, turn);
  let nowMs = 0;
  let known = 0;
  const turns: { text: string; atMs: number }[] = [];
  const handsFree = new HandsFree({
    recognizer: {
      events: new TypedEvents(),
      start: () => true,
      end() {
        const heard = said.slice(known).filter(({ endMs }) => endMs <= nowMs);
        known += heard.length;
        return Promise.resolve(heard.map(({ text }) => text).join(" "));
      },
      cancel: () => undefined,
      close: () => undefined,
    },
    endpointing: new Endpointing(endpointingOf(turnSettingsOf({})), "en"),
    bargeIn: {
      isPaused: false,
      duck: () => undefined,
      unduck: () => undefined,
      pause: () => undefined,
      goOn: () => undefined,
    },
    isEchoCancelled: true,
    record: () => undefined,
    isAvatarSpeaking: false,
    avatarWords: "",
    handleSpeech: () => undefined,
    handleWords: () => undefined,
    handleLikelyEnd: () => undefined,
    handleTurn: (text) => turns.push({ text, atMs: nowMs }),
    handleFault: (error) => {
      throw error;
    },
  });
  for (const frame of await heardFrames(sound)) {
    nowMs += frameMs;
    handsFree.take(frame);
    // The recognizer's answer arrives before the next frame.
    for (let round = 0; round < 4; round++) await Promise.resolve();
  }
  const endMs = said.at(-1)?.endMs ?? 0;
  const first = turns[0];
  return {
    turn,
    isCutOff: turns.some(({ atMs }) => atMs < endMs),
    delayMs: (turns.findLast(({ atMs }) => atMs >= endMs)?.atMs ?? Number.NaN) - endMs,
    text: first?.text ?? "",
  };
}
