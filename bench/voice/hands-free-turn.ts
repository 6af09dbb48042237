import type { Page } from "@playwright/test";
import { timeToVoice } from "../answer.ts";
import { percentile, short, timesRow, type Row } from "../table.ts";
import { audible } from "./ears.ts";

/** When the parts of a hands-free turn happened, by the page's clock, in ms. */
interface Marks {
  /** The visitor's last sound. */
  readonly ended: number;
  /** The words were known: those up to the pause, or those of the recording that ended in it. */
  readonly known: number;
  /** The language model was asked: before the turn's end, where the words were probably all. */
  readonly asked: number;
  /** The silence was long enough to end the turn. */
  readonly over: number;
  /** The service began to send the answer's sound. */
  readonly speaking: number;
  /** The first sample that is heard. */
  readonly heard: number;
}

/** One hands-free turn of a visitor. */
export interface HandsFreeTurn {
  readonly marks: Marks;
  /** From the visitor's last sound to the first audible sample of the answer, in ms. */
  readonly answerMs: number;
  /** The same question typed right after, while the microphone is still open: from `send()` to the first audible sample, in ms. */
  readonly typedMs: number;
}

/** Waits for the visitor's next turn, and for the answer. Then the same is asked in writing. */
export async function handsFreeTurn(page: Page, question: string): Promise<HandsFreeTurn> {
  const marks = await page.evaluate(async (limit): Promise<Marks> => {
    const element = document.querySelector("visavis-avatar")!;
    const { sender } = window.visavisDebug.peerConnection
      .getTransceivers()
      .find(({ receiver }) => receiver.track.kind === "audio")!;
    const said = ears.levelOf(sender.track!);
    await ears.until(() => said() < 0.01, 1_500);
    element.interrupt();
    await ears.until(() => ears.heard() < limit, 400);
    const seen = { over: Number.NaN, speaking: Number.NaN };
    const knownAtMs: number[] = [];
    const listening = new AbortController();
    const listen = (type: string, handle: (detail: Record<string, unknown>) => void): void =>
      element.addEventListener(
        type,
        (event) => handle((event as CustomEvent<Record<string, unknown>>).detail),
        {
          signal: listening.signal,
        },
      );
    listen("visavis-transcript", ({ final }) => {
      if (final === true) seen.over = performance.now();
      else knownAtMs.push(performance.now());
    });
    listen("visavis-activitychange", ({ activity }) => {
      if (activity === "speaking") seen.speaking = performance.now();
    });
    await ears.until(() => said() > 0.05);
    const ended = await ears.until(() => said() < 0.01, 300);
    const heard = await ears.until(() => ears.heard() > limit);
    listening.abort();
    const asked = performance
      .getEntriesByType("resource")
      .filter(({ name, startTime }) => /\/llm(\/early)?$/.test(name) && startTime > ended)
      .at(0)?.startTime;
    element.interrupt();
    const known = knownAtMs.find((ms) => ms > ended) ?? Number.NaN;
    return { ...seen, known, ended, heard, asked: asked ?? Number.NaN };
  }, audible);
  return { marks, answerMs: marks.heard - marks.ended, typedMs: await timeToVoice(page, question) };
}

const legs: readonly (readonly [string, keyof Marks, keyof Marks])[] = [
  ["end of speech to its words known", "ended", "known"],
  ["end of speech to the turn's end", "ended", "over"],
  ["the turn's end to the model's call, negative if it was early", "over", "asked"],
  ["the turn's end to the answer's sound at the service", "over", "speaking"],
  ["that to the first audible sample", "speaking", "heard"],
];

/** The time of the turns as a whole, its legs, and what typing takes meanwhile. */
export function legRows(turns: readonly HandsFreeTurn[]): Row[] {
  const leg = (name: string, from: keyof Marks, to: keyof Marks): Row => {
    const times = turns.map(({ marks }) => marks[to] - marks[from]).filter(Number.isFinite);
    if (times.length) return timesRow(`  ${name}`, times);
    return { name: `  ${name}`, columns: { n: 0, median: short(percentile(times, 50)) } };
  };
  return [
    timesRow(
      "hands-free: end of speech to the first audible answer",
      turns.map(({ answerMs }) => answerMs),
    ),
    ...legs.map(([name, from, to]) => leg(name, from, to)),
    timesRow(
      "a typed question to the same, the microphone open",
      turns.map(({ typedMs }) => typedMs),
    ),
  ];
}
