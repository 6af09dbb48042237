import type { SessionEvent, SessionEventKind } from "../protocol/session-event.ts";
import { RelayFault } from "./relay-fault.ts";
import { nextReport, type ReportPhase, type ReportTrigger } from "./report-rule.ts";
import { TypedEvents } from "./typed-events.ts";

/** Interval of SESSION_DURING (wire conventions, Heartbeat). */
const beatIntervalMs = 10_000;
/** Retries of a report that failed: full jitter under a ceiling that doubles from the first to the last. */
const retryFloorMs = 500;
const retryCeilingMs = 15_000;
/** How often the first and the last word are tried before the service's lease has to do. */
const attempts = 4;

export interface HeartbeatEvents {
  /** The service ended the session; final. */
  terminated: { reason: string };
  /** The service does not know the session any more, or not this token. */
  lost: RelayFault;
}

type Send = (event: SessionEventKind, detail?: string, keepalive?: boolean) => Promise<SessionEvent>;

/** Wait before a retry, full jitter: anywhere between nothing and a ceiling that doubles. `failures` from 1. */
export function retryDelayMs(failures: number, random = Math.random()): number {
  return random * Math.min(retryCeilingMs, retryFloorMs * 2 ** failures);
}

/** Reports a session's life to the service and hears from the answers whether it is to go on. */
export class Heartbeat {
  readonly events = new TypedEvents<HeartbeatEvents>();
  readonly #send: Send;
  #phase: ReportPhase = "new";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Reports go one after the other, so that the END cannot overtake the START. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(send: Send) {
    this.#send = send;
  }

  /** The connection stands: START, and from then on the beat. Later calls mean nothing. */
  handleConnected(): void {
    const event = this.#next("connected");
    if (!event) return;
    // Nothing was reported before, so this goes out now.
    this.#tail = this.#deliver(event);
    this.#schedule(beatIntervalMs);
  }

  /** Ends the reports with END; resolves when it is delivered or given up. `now`: the page goes away. */
  async end(now = false): Promise<void> {
    await this.#close("end", undefined, now);
  }

  /** Ends the reports with ERROR and what happened. */
  async fail(detail: string): Promise<void> {
    await this.#close("fail", detail, false);
  }

  /** Sends the next beat at once; resolves when its answer has been dealt with. */
  async beatNow(): Promise<void> {
    if (this.#phase !== "started") return;
    clearTimeout(this.#timer);
    await this.#enqueue(() => this.#beat());
  }

  /** Stops without a word: the session is gone already. */
  stop(): void {
    this.#next("terminated");
    clearTimeout(this.#timer);
    this.events.clear();
  }

  #next(trigger: ReportTrigger): SessionEventKind | null {
    const { phase, event } = nextReport(this.#phase, trigger);
    this.#phase = phase;
    return event;
  }

  async #close(trigger: "end" | "fail", detail: string | undefined, now: boolean): Promise<void> {
    const event = this.#next(trigger);
    clearTimeout(this.#timer);
    this.events.clear();
    if (!event) return;
    if (now) void this.#send(event, detail, true).catch(() => undefined);
    else await this.#enqueue(() => this.#deliver(event, detail));
  }

  #enqueue(job: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(job);
    this.#tail = done;
    return done;
  }

  /** Delivers the first or the last word, with retries. */
  async #deliver(event: SessionEventKind, detail?: string): Promise<void> {
    const last = event !== "SESSION_START";
    for (let attempt = 1; attempt <= attempts; attempt++) {
      // A START that is still being retried when the session closes has lost its meaning.
      if (!last && this.#phase !== "started") return;
      try {
        this.#handleAnswer(await this.#send(event, detail, last));
        return;
      } catch (error) {
        if (error instanceof RelayFault && error.final) {
          this.#handleFault(error);
          return;
        }
        if (attempt < attempts) await pause(waitAfterMs(error, attempt));
      }
    }
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#enqueue(() => this.#beat());
    }, delayMs);
  }

  async #beat(): Promise<void> {
    const event = this.#next("beat");
    if (!event) return;
    let delayMs = beatIntervalMs;
    try {
      this.#handleAnswer(await this.#send(event));
      this.#failures = 0;
    } catch (error) {
      if (error instanceof RelayFault && error.final) {
        this.#handleFault(error);
        return;
      }
      delayMs = waitAfterMs(error, ++this.#failures);
    }
    if (this.#phase === "started") this.#schedule(delayMs);
  }

  #handleAnswer(answer: SessionEvent): void {
    if (!answer.terminate || this.#phase === "closed") return;
    this.#next("terminated");
    clearTimeout(this.#timer);
    this.events.emit("terminated", { reason: answer.terminate_reason ?? "" });
  }

  #handleFault(fault: RelayFault): void {
    if (this.#phase === "closed") return;
    this.#next("terminated");
    clearTimeout(this.#timer);
    this.events.emit("lost", fault);
  }
}

/** A rate limit's reset with a little jitter, so that all who wait do not come back at once; else full jitter. */
function waitAfterMs(error: unknown, failures: number): number {
  const resetMs = error instanceof RelayFault ? error.retryAfterMs : 0;
  return resetMs ? resetMs + Math.random() * 1_000 : retryDelayMs(failures);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
