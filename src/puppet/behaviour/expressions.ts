import { smooth } from "../math.ts";

/** A short expression or gesture of the face that happens once. */
export const expressions = ["smile", "nod", "shake", "raise_brows", "surprise", "wink"] as const;
export type Expression = (typeof expressions)[number];

/** What an expression adds to the face; values as in `PuppetParams`. */
export type ExpressionFace = Record<(typeof channels)[number], number>;

const channels = ["smile", "browRaise", "headTurn", "headTilt", "headNod", "blinkR"] as const;

const unmoved: ExpressionFace = {
  smile: 0,
  browRaise: 0,
  headTurn: 0,
  headTilt: 0,
  headNod: 0,
  blinkR: 0,
};

/** How long each expression lasts, in ms. */
const lengthsMs: Readonly<Record<Expression, number>> = {
  smile: 2600,
  nod: 1300,
  shake: 1500,
  raise_brows: 1300,
  surprise: 1600,
  wink: 620,
};

/** Rises at the beginning, stays, and falls at the end. `t` and the times are shares of the length. */
function held(t: number, riseEnd: number, fallStart: number): number {
  return smooth(0, riseEnd, t) * (1 - smooth(fallStart, 1, t));
}

/** The face of each expression at the share `t` of its length. */
const faces: Readonly<Record<Expression, (t: number) => Partial<ExpressionFace>>> = {
  smile: (t) => ({ smile: 0.55 * held(t, 0.16, 0.6), browRaise: 0.12 * held(t, 0.2, 0.6) }),
  nod: (t) => ({ headNod: 0.34 * Math.sin(2 * Math.PI * 2 * t - 0.4) * held(t, 0.15, 0.55) }),
  shake: (t) => ({ headTurn: 0.34 * Math.sin(2 * Math.PI * 2.5 * t) * held(t, 0.12, 0.6) }),
  raise_brows: (t) => ({ browRaise: 0.75 * held(t, 0.18, 0.55) }),
  surprise: (t) => ({ browRaise: 0.95 * held(t, 0.1, 0.55), headNod: -0.2 * held(t, 0.12, 0.5) }),
  wink: (t) => ({
    blinkR: held(t, 0.22, 0.55),
    smile: 0.25 * held(t, 0.2, 0.7),
    headTilt: 0.1 * held(t, 0.3, 0.6),
  }),
};

/** Expressions in progress. */
export class Expressions {
  #shown: { expression: Expression; startMs: number }[] = [];

  /** Shows an expression from `nowMs` on. The same one does not begin again while it is shown. */
  show(expression: Expression, nowMs: number): void {
    this.#forget(nowMs);
    if (this.#shown.some((shown) => shown.expression === expression)) return;
    this.#shown.push({ expression, startMs: nowMs });
  }

  /** What the current expressions add to the face. */
  at(nowMs: number): ExpressionFace {
    this.#forget(nowMs);
    const face = { ...unmoved };
    for (const { expression, startMs } of this.#shown) {
      const part = faces[expression]((nowMs - startMs) / lengthsMs[expression]);
      for (const name of channels) face[name] += part[name] ?? 0;
    }
    return face;
  }

  #forget(nowMs: number): void {
    this.#shown = this.#shown.filter(({ expression, startMs }) => nowMs < startMs + lengthsMs[expression]);
  }
}
