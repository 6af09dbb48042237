import type { EventOutcome, SessionEventKind } from "../protocol/session-event.ts";
import { RelayFault } from "./relay-fault.ts";
import { nextReport, type ReportPhase, type ReportTrigger } from "./report-rule.ts";
import { TypedEvents } from "./typed-events.ts";

/** Interval of SESSION_DURING (wire conventions, Heartbeat). */
const beatIntervalMs = 10_000;
/** Delays between retries of a failed report: full jitter below a ceiling that doubles from the first to the last. */
const retryFloorMs = 500;
const retryCeilingMs = 15_000;
/** How often START and END are tried. After that the service's lease ends the session. */
const attempts = 4;

export interface HeartbeatEvents {
  /** The service's answer to a report. */
  answered: EventOutcome;
  /** The service has ended the session. */
  terminated: { reason: string };
  /** The service no longer knows the session or does not accept this token. */
  lost: RelayFault;
}

type Send = (event: SessionEventKind, detail?: string, keepalive?: boolean) => Promise<EventOutcome>;

/** Delay before a retry with full jitter: between 0 and a ceiling that doubles. `failures` counts from 1. */
export function retryDelayMs(failures: number, random = Math.random()): number {
  return random * Math.min(retryCeilingMs, retryFloorMs * 2 ** failures);
}

/** Reports a session's lifecycle to the service and reads from the responses whether the session must end. */
export class Heartbeat {
  readonly events = new TypedEvents<HeartbeatEvents>();
  readonly #send: Send;
  #phase: ReportPhase = "new";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Reports are sent one after the other, so that END cannot overtake START. */
  #tail: Promise<unknown> = Promise.resolve();

  /** `isReported`: START was sent by an earlier page of the same session. */
  constructor(send: Send, isReported = false) {
    this.#send = send;
    if (isReported) this.#phase = "started";
  }

  /** Whether START was reported. */
  get isReported(): boolean {
    return this.#phase === "started";
  }

  /** The connection is up: sends START and begins the heartbeat. Later calls do nothing. */
  handleConnected(): void {
    const wasReported = this.isReported;
    const event = this.#next("connected");
    // A session that is taken up again shows at once that its client is back.
    if (wasReported && this.#timer === undefined) void this.beatNow();
    if (!event) return;
    // This is the first report, so it is sent now.
    this.#tail = this.#deliver(event);
    this.#schedule(beatIntervalMs);
  }

  /** Sends END as the last report. Resolves when it is delivered or given up. `now`: the page is being closed. */
  async end(now = false): Promise<void> {
    await this.#close("end", undefined, now);
  }

  /** Sends ERROR with a description as the last report. */
  async fail(detail: string): Promise<void> {
    await this.#close("fail", detail, false);
  }

  /** Sends the next heartbeat at once. Resolves when its response has been handled. */
  async beatNow(): Promise<void> {
    if (this.#phase !== "started") return;
    clearTimeout(this.#timer);
    await this.#enqueue(() => this.#beat());
  }

  /** Stops without a report, because the session is gone already. */
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

  /** Delivers the first or last report, with retries. */
  async #deliver(event: SessionEventKind, detail?: string): Promise<void> {
    const last = event !== "SESSION_START";
    for (let attempt = 1; attempt <= attempts; attempt++) {
      // A START that is still being retried is pointless once the session closes.
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

  #handleAnswer(answer: EventOutcome): void {
    this.events.emit("answered", answer);
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

/** A rate limit's reset plus a little jitter, so that clients do not all retry at once; otherwise full jitter. */
function waitAfterMs(error: unknown, failures: number): number {
  const resetMs = error instanceof RelayFault ? error.retryAfterMs : 0;
  return resetMs ? resetMs + Math.random() * 1_000 : retryDelayMs(failures);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
