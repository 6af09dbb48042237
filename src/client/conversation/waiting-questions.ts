import type { ConversationLine } from "./transcript-entry.ts";
import { RelayFault } from "../relay/relay-fault.ts";
import type { Transcript } from "./transcript.ts";
import { VisavisError } from "../visavis-error.ts";

/** How long a question waits for the connection, in ms. After that the visitor sends it again or discards it. */
const waitLimitMs = 60_000;
/** Pause before a question that did not reach the relay is sent again, in ms: doubles from the first to the longest. */
const pauseFloorMs = 1_000;
const pauseCeilingMs = 8_000;
/** How long a service that does not answer is asked again, in ms: it may be restarting. */
const restartLimitMs = 20_000;
/** How often a question may be sent to a session that turns out to be lost. */
const lossesLimit = 2;

/** A question that waits for the connection, or is being answered. */
export interface Question {
  readonly id: string;
  readonly untilMs: number;
  /** How often it was sent without success: to a relay that was not reached, and to a session that was lost. */
  readonly tries: number;
  readonly losses: number;
}

/** What waiting questions need from the conversation. */
interface WaitHost {
  readonly transcript: Transcript;
  readonly line: ConversationLine | null;
  handleFault(error: VisavisError): void;
}

/** Whether the relay was reached, but not the service behind it. */
const isAway = (fault: VisavisError): boolean => fault instanceof RelayFault && fault.status === 503;

/** The visitor's questions that wait for the connection, each for a limited time. */
export class WaitingQuestions {
  readonly #host: WaitHost;
  readonly #send: () => void;
  readonly #questions = new Map<string, Question>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `send` is called as soon as it can help. It takes the questions if it can send them. */
  constructor(host: WaitHost, send: () => void) {
    this.#host = host;
    this.#send = send;
  }

  get isEmpty(): boolean {
    return this.#questions.size === 0;
  }

  /** `askedAtMs`: when the visitor asked, by `performance.now()`. */
  add(id: string, askedAtMs: number): void {
    this.#questions.set(id, { id, untilMs: askedAtMs + waitLimitMs, tries: 0, losses: 0 });
  }

  /** Takes all questions to send them. */
  take(): Question[] {
    const questions = [...this.#questions.values()];
    this.clear();
    return questions;
  }

  /** Questions that could not be answered wait if only the connection failed, or the service restarts. */
  putBack(questions: readonly Question[], fault: VisavisError): void {
    const { code } = fault;
    for (const question of questions) {
      const losses = question.losses + (code === "session_lost" ? 1 : 0);
      const askedAtMs = question.untilMs - waitLimitMs;
      const mayRestart = isAway(fault) && performance.now() < askedAtMs + restartLimitMs;
      const waits = code === "network" || mayRestart || (code === "session_lost" && losses < lossesLimit);
      if (waits) this.#questions.set(question.id, { ...question, tries: question.tries + 1, losses });
      else this.#host.transcript.update(question.id, { status: "failed", fault: code });
    }
    this.wait();
  }

  discard(id: string): void {
    this.#questions.delete(id);
    this.wait();
  }

  clear(): void {
    this.#questions.clear();
    this.#stop();
  }

  /** Shows that questions wait, and has them sent as soon as it can help. */
  wait(): void {
    this.#stop();
    const { transcript } = this.#host;
    const nowMs = performance.now();
    for (const { id, untilMs } of this.#questions.values())
      if (untilMs <= nowMs) {
        this.#questions.delete(id);
        transcript.update(id, { status: "failed", fault: "network" });
        this.#host.handleFault(new VisavisError("network", "The question could not be sent."));
      } else if (transcript.get(id)?.status !== "waiting") transcript.update(id, { status: "waiting" });
    const questions = [...this.#questions.values()];
    if (!questions.length) return;
    addEventListener("online", this.#send);
    const leftMs = Math.min(...questions.map(({ untilMs }) => untilMs)) - nowMs;
    const tries = Math.max(...questions.map((question) => question.tries));
    // Also where the connection is down: not each way back is told, as that of a connection that was only quiet for a moment.
    const pauseMs = Math.min(pauseFloorMs * 2 ** Math.max(tries - 1, 0), pauseCeilingMs);
    this.#timer = setTimeout(() => this.#look(), Math.min(pauseMs, leftMs));
  }

  #look(): void {
    this.wait();
    this.#send();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    removeEventListener("online", this.#send);
  }
}
