import type { TimedViseme, Viseme } from "../../../../protocol/speech/speech.ts";

/** A speech sound of Flite (CMU set, lower case; `pau` is silence) with its end in ms. */
export interface TimedPhone {
  phone: string;
  start: number;
  end: number;
}

/** The mouth shapes of each phone, in order. Diphthongs have two. */
const visemesOfPhone: Readonly<Record<string, readonly [Viseme] | readonly [Viseme, Viseme]>> = {
  p: ["PP"],
  b: ["PP"],
  m: ["PP"],
  f: ["FF"],
  v: ["FF"],
  th: ["TH"],
  dh: ["TH"],
  t: ["DD"],
  d: ["DD"],
  dx: ["DD"],
  k: ["kk"],
  g: ["kk"],
  ng: ["kk"],
  hh: ["kk"],
  ch: ["CH"],
  jh: ["CH"],
  sh: ["CH"],
  zh: ["CH"],
  s: ["SS"],
  z: ["SS"],
  n: ["nn"],
  l: ["nn"],
  r: ["RR"],
  er: ["RR"],
  axr: ["RR"],
  w: ["ou"],
  y: ["ih"],
  aa: ["aa"],
  ae: ["aa"],
  ah: ["aa"],
  ax: ["E"],
  eh: ["E"],
  ih: ["ih"],
  iy: ["ih"],
  ao: ["oh"],
  uh: ["ou"],
  uw: ["ou"],
  ay: ["aa", "ih"],
  aw: ["aa", "ou"],
  ey: ["E", "ih"],
  ow: ["oh", "ou"],
  oy: ["oh", "ih"],
};

/** When a diphthong changes from its first shape to the second, as a fraction of its length. */
const diphthongTurn = 0.6;

/** The first viseme of a phone; `sil` for silence and for unknown phones. */
export function firstViseme(phone: string): Viseme {
  return visemesOfPhone[phone]?.[0] ?? "sil";
}

/** Mouth shapes (the OVR set) of phones, without gaps from the first phone's start to the last one's end. */
export function visemesOf(phones: readonly TimedPhone[]): TimedViseme[] {
  const visemes: TimedViseme[] = [];
  const push = (viseme: Viseme, start: number, end: number): void => {
    const last = visemes.at(-1);
    if (last?.viseme === viseme) last.end = end;
    else if (end > start) visemes.push({ viseme, start, end });
  };
  for (const { phone, start, end } of phones) {
    const [first, second] = visemesOfPhone[phone] ?? (["sil"] as const);
    const turn = second ? start + (end - start) * diphthongTurn : end;
    push(first, start, turn);
    if (second) push(second, turn, end);
  }
  return visemes;
}
