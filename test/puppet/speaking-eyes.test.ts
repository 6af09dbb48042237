import { describe, expect, it } from "vitest";
import { lookOf } from "../../bench/face/motion-measures.ts";
import { spokenMs, spokenText } from "../../bench/face/spoken-text.ts";
import { spokenSentences } from "../../src/puppet/behaviour/mood.ts";
import { speechPauses } from "../../src/puppet/behaviour/behaviour.ts";
import { createPuppetBehaviour, type Behaviour, type PuppetParams } from "../../src/puppet/index.ts";
import { loadCharacter } from "./load-character.ts";

const mina = loadCharacter("mina");
const seeds = Array.from({ length: 40 }, (_, i) => i + 1);
const spoken = spokenText(
  "You can change your order until it leaves our warehouse, which is usually on the next working day. " +
    "Open the list of your orders, choose the one you want to change, and press the button below it. " +
    "If the parcel is already on its way, you can still refuse it at the door. " +
    "Delivery takes three days inside the country, and about a week everywhere else in Europe.",
);
const startMs = 1_000;
const stepMs = 10;

interface Moment {
  /** The time in the speech. */
  readonly ms: number;
  readonly params: PuppetParams;
}

/** The speech of an avatar, in steps of 10 ms. */
function said(seed: number): Moment[] {
  const behaviour: Behaviour = createPuppetBehaviour(mina, { seed });
  for (let ms = 0; ms < startMs; ms += stepMs) behaviour.step(ms);
  behaviour.speak(spoken, startMs);
  const moments: Moment[] = [];
  for (let ms = 0; ms < spokenMs(spoken); ms += stepMs)
    moments.push({ ms, params: behaviour.step(startMs + ms) });
  return moments;
}

const minutes = seeds.map(said);

/** The share of these times, of all avatars, for which the test holds in the span of ms after them. */
function share(
  times: readonly number[],
  [from, to]: readonly [number, number],
  test: (moments: readonly Moment[]) => boolean,
): number {
  const spans = minutes.flatMap((moments) =>
    times.map((time) => moments.filter(({ ms }) => ms >= time + from && ms < time + to)),
  );
  return spans.filter(test).length / spans.length;
}

describe("a speaker's eyes", () => {
  it("blink in about half of the longer pauses of speech, and seldom in words", () => {
    const begins = (moments: readonly Moment[]): boolean =>
      moments.some(({ params }, i) => i > 0 && params.blink! > 0 && moments[i - 1]!.params.blink === 0);
    // There is no second blink within a second and a half: pauses that follow each other soon share one.
    const pauses = speechPauses(spoken).filter((ms, i, all) => i === 0 || ms - all[i - 1]! > 2_000);
    const inPauses = share(pauses, [-stepMs, 200], begins);
    const inWords = share(
      pauses.map((ms) => ms - 600),
      [0, 210],
      begins,
    );
    expect(inPauses).toBeGreaterThan(0.35);
    expect(inWords).toBeLessThan(inPauses / 4);
  });

  it("leave the visitor for a moment at the beginning of about every second thought", () => {
    const isAway = (moments: readonly Moment[]): boolean =>
      moments.every(({ params }) => {
        const { x, y } = lookOf(params);
        return Math.hypot(x, y) > 0.24;
      });
    // The first one is said to the visitor.
    const thoughts = spokenSentences(spoken.words)
      .slice(1)
      .map(({ start }) => start);
    const atBeginning = share(thoughts, [100, 350], isAway);
    const before = share(thoughts, [-400, -150], isAway);
    const later = share(thoughts, [1_400, 1_650], isAway);
    expect(atBeginning).toBeGreaterThan(0.4);
    expect(atBeginning).toBeLessThan(0.75);
    expect(Math.max(before, later)).toBeLessThan(atBeginning / 2);
  });
});
