import type { EventOutcome, SessionEventKind } from "../../protocol/session/session-event.ts";
import { RelayFault } from "../relay/relay-fault.ts";
import { TypedEvents } from "../typed-events.ts";

/** What happened to a session and matters for its reports. */
export type ReportTrigger = "connected" | "beat" | "end" | "fail" | "terminated";

/** What has been reported: nothing, the start, or the end. */
export type ReportPhase = "new" | "started" | "closed";

/**
 * The rule of one END (wire conventions, Heartbeat): START once, DURING only after it, END or ERROR at most once, and
 * nothing after the service has terminated the session itself.
 */
export function nextReport(
  phase: ReportPhase,
  trigger: ReportTrigger,
): { phase: ReportPhase; event: SessionEventKind | null } {
  if (phase === "closed") return { phase, event: null };
  if (trigger === "connected") return { phase: "started", event: phase === "new" ? "SESSION_START" : null };
  if (trigger === "beat") return { phase, event: phase === "started" ? "SESSION_DURING" : null };
  const event = trigger === "end" ? "SESSION_END" : trigger === "fail" ? "SESSION_ERROR" : null;
  return { phase: "closed", event };
}

/** Interval of SESSION_DURING (wire conventions, Heartbeat). */
const beatIntervalMs = 10_000;
/** Delays between retries of a failed report: full jitter below a ceiling that doubles from the first to the last. */
const retryFloorMs = 500;
const retryCeilingMs = 15_000;
/** How often START and END are tried. After that the service's lease ends the session. */
const attempts = 4;

interface HeartbeatEvents {
  /** The service's answer to a report, and when that was sent. */
  answered: EventOutcome & { readonly sentAtMs: number };
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

  /** Sends the next report at once: START, if it was not sent yet. Resolves when its response has been handled. */
  async beatNow(): Promise<void> {
    if (this.#phase === "new") this.handleConnected();
    else if (this.#phase === "started") {
      clearTimeout(this.#timer);
      void this.#enqueue(() => this.#beat());
    }
    await this.#tail;
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
      const waitMs = await this.#try(attempt, event, detail, last);
      if (waitMs === null) return;
      if (attempt < attempts) await pause(waitMs);
    }
  }

  /** Sends a report. Returns null, or after a failure how long to wait before the next try. */
  async #try(failures: number, ...report: Parameters<Send>): Promise<number | null> {
    const sentAtMs = performance.now();
    try {
      this.#handleAnswer(await this.#send(...report), sentAtMs);
    } catch (error) {
      if (!(error instanceof RelayFault && error.final)) return waitAfterMs(error, failures);
      this.#handleFault(error);
    }
    return null;
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
    const waitMs = await this.#try(this.#failures + 1, event);
    this.#failures = waitMs === null ? 0 : this.#failures + 1;
    if (this.#phase === "started") this.#schedule(waitMs ?? beatIntervalMs);
  }

  #handleAnswer(answer: EventOutcome, sentAtMs: number): void {
    this.events.emit("answered", { ...answer, sentAtMs });
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
