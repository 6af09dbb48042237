/** How sound and picture arrive. `poor`: with gaps. `lost`: at the moment nothing does. */
export type LinkQuality = "good" | "poor" | "lost";

/** What a connection has received until now. */
export interface Received {
  /** Packets of sound and picture. */
  readonly packets: number;
  readonly lostPackets: number;
  /** Samples of sound, and how many of them the browser had to make up. */
  readonly samples: number;
  readonly concealedSamples: number;
  /** The time for which the picture stood still, in s. */
  readonly frozenSec: number;
  /** The latest time to the service and back, in s. */
  readonly roundTripSec: number;
}

type Stats = Readonly<Record<string, unknown>>;

/** Reads a report of `RTCPeerConnection.getStats()`. What the browser does not tell counts as 0. */
export function receivedOf(report: { forEach(see: (stats: Stats) => void): void }): Received {
  const all: Stats[] = [];
  report.forEach((stats) => all.push(stats));
  const media = all.filter(({ type }) => type === "inbound-rtp");
  const sum = (key: string) =>
    media.reduce((total, stats) => total + (typeof stats[key] === "number" ? stats[key] : 0), 0);
  const pair = all.find(({ type, nominated }) => type === "candidate-pair" && nominated === true);
  return {
    packets: sum("packetsReceived"),
    lostPackets: sum("packetsLost"),
    samples: sum("totalSamplesReceived"),
    // Made-up silence is not noticed.
    concealedSamples: sum("concealedSamples") - sum("silentConcealedSamples"),
    frozenSec: sum("totalFreezesDuration"),
    roundTripSec: Number(pair?.["currentRoundTripTime"] ?? 0),
  };
}

/** From these values on visitors notice it. */
const lostShare = 0.05;
const concealedShare = 0.06;
const frozenLimitSec = 0.8;
const roundTripLimitSec = 0.8;

/** Whether what arrived between two measurements had gaps that a visitor notices. */
export function hadGaps(before: Received, now: Received): boolean {
  const grown = (key: keyof Received) => Math.max(now[key] - before[key], 0);
  const share = (part: keyof Received, whole: number) => (whole > 0 ? grown(part) / whole : 0);
  return (
    share("lostPackets", grown("lostPackets") + grown("packets")) > lostShare ||
    share("concealedSamples", grown("samples")) > concealedShare ||
    grown("frozenSec") > frozenLimitSec ||
    now.roundTripSec > roundTripLimitSec
  );
}

/** How many measurements in a row must agree before the verdict changes. */
const looksToPoor = 2;
const looksToGood = 4;

/** Judges a connection by its last measurements. One gap does not make it poor, and one good measurement does not make it good again. */
export class QualityJudge {
  #poor = false;
  #against = 0;

  judge(gaps: boolean): "good" | "poor" {
    this.#against = gaps === this.#poor ? 0 : this.#against + 1;
    if (this.#against >= (this.#poor ? looksToGood : looksToPoor)) {
      this.#poor = gaps;
      this.#against = 0;
    }
    return this.#poor ? "poor" : "good";
  }
}
