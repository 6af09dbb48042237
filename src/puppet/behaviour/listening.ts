import { smooth } from "../math.ts";
import type { Span } from "./poses.ts";
import { between, type Random } from "./random.ts";

/** What listening adds to the face now. */
export interface Attention {
  readonly headNod: number;
  readonly browRaise: number;
}

/** A slow nod: down, and back. */
const nodMs = 900;
const nodReach = 0.34;

/** A second, smaller nod follows some nods. */
const secondShare = 0.3;
const secondMs = 620;

/** A clause has ended when the visitor spoke at least this long, and has now paused this long. */
const clauseMs = 700;
const pauseMs = 240;

const leastApartMs = 2200;

/** Without any sound of the visitor, such as before the first message of a microphone, there is a nod now and then. */
const unheardMs = 2500;
const ownNodEveryMs: Span = [3200, 7000];

const questionMs = 1700;
const questionBrow = 0.55;

/** How a listener reacts: slow nods at the ends of clauses, raised brows at a question. */
export class Listening {
  #nods: { atMs: number; reach: number }[] = [];
  #lastNodMs = -Infinity;
  #spokenMs = 0;
  #heardMs = -Infinity;
  #voiceMs = -Infinity;
  #ownNodMs: number | undefined;
  #questionMs: number | undefined;

  constructor(private readonly random: Random) {}

  /** Tells whether the visitor's voice is heard at this time. Call it every 10 to 100 ms while a microphone is open. */
  hear(nowMs: number, isVoice: boolean): void {
    const sinceMs = Math.min(200, nowMs - this.#heardMs);
    this.#heardMs = nowMs;
    if (isVoice) {
      this.#spokenMs = nowMs - this.#voiceMs > 1500 ? 0 : this.#spokenMs + sinceMs;
      this.#voiceMs = nowMs;
    } else if (this.#spokenMs >= clauseMs && nowMs - this.#voiceMs >= pauseMs) {
      this.#spokenMs = 0;
      this.#nod(nowMs);
    }
  }

  /** The visitor has asked something. */
  hearQuestion(nowMs: number): void {
    this.#questionMs = nowMs;
  }

  /** The reaction at this moment. New nods begin only while the avatar listens; a nod that has begun is always finished. */
  at(nowMs: number, isListening: boolean): Attention {
    if (!isListening) this.#ownNodMs = undefined;
    else if (nowMs - this.#heardMs > unheardMs) this.#nodByItself(nowMs);
    this.#nods = this.#nods.filter(({ atMs }) => nowMs < atMs + nodMs);
    let headNod = 0;
    for (const { atMs, reach } of this.#nods)
      headNod +=
        reach *
        smooth(atMs, atMs + nodMs * 0.42, nowMs) *
        (1 - smooth(atMs + nodMs * 0.42, atMs + nodMs, nowMs));
    return { headNod, browRaise: questionBrow * this.#question(nowMs) };
  }

  #question(nowMs: number): number {
    if (this.#questionMs === undefined) return 0;
    const age = nowMs - this.#questionMs;
    return smooth(0, 220, age) * (1 - smooth(questionMs - 500, questionMs, age));
  }

  #nodByItself(nowMs: number): void {
    this.#ownNodMs ??= nowMs + between(this.random, ownNodEveryMs);
    if (nowMs < this.#ownNodMs) return;
    this.#ownNodMs = nowMs + between(this.random, ownNodEveryMs);
    this.#nod(nowMs);
  }

  #nod(nowMs: number): void {
    if (nowMs - this.#lastNodMs < leastApartMs) return;
    this.#lastNodMs = nowMs;
    const reach = nodReach * between(this.random, [0.65, 1]);
    this.#nods.push({ atMs: nowMs, reach });
    if (this.random() < secondShare) this.#nods.push({ atMs: nowMs + secondMs, reach: reach * 0.55 });
  }
}
