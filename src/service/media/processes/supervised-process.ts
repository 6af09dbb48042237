import { fork, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { TimeLimit } from "../../../timing/time-limit.ts";
import type { PeerAnswer, PeerRequest } from "../media-engine.ts";
import { MediaError } from "../media-error.ts";
import type {
  MediaProcessSettings,
  MessageFromProcess,
  MessageToProcess,
  OfferProgress,
} from "./media-ipc.ts";

const exchangeTimeoutMs = 5_000;

/** The first one also pays for reading the library from a cold disk, on a machine that starts everything at once. */
const firstExchangeTimeoutMs = 12_000;

/** A process that owes an answer and sends no message for this long is hanging. It sends its progress before an answer. */
const silentMs = 3_000;

/** How long a process may take to get ready. Offers wait for it. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 2_000;

/** How much of the last error output of a process is kept for the log, in characters. */
const errorOutputMaxLength = 1_000;

/**
 * Settings of glibc's allocator. The WebRTC library allocates and frees memory in different threads. With an arena for each
 * thread, the process kept the memory of closed sessions (about 100 MB after 100 sessions). With two arenas, the memory returns to
 * the system. Frames of usual sizes (0.3 to 1.8 MB) are taken from the arenas, which keep some MB for the next ones: to have the
 * system map and clear the pages of each frame took 0.25 ms a frame, more than its copy.
 */
const allocatorSettings = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "2097152",
  MALLOC_TRIM_THRESHOLD_: "8388608",
};

/** Messages that do not belong to an exchange. */
export type ProcessNews = Exclude<
  MessageFromProcess,
  { type: "ready" } | { type: "answer" } | { type: "exchange-failed" } | { type: "offer-progress" }
>;

/** Events of a process. */
export interface ProcessEvents {
  /** It handles exchanges at once from now on; earlier ones waited in its queue. */
  onReady(): void;
  onNews(news: ProcessNews): void;
  /** It wrote a line to its standard error. */
  onErrorLine(line: string): void;
  /** It has ended. `detail` says how; `isClean`: it ended with exit code 0. */
  onDied(detail: string, isClean: boolean): void;
}

interface PendingExchange {
  /** Undefined until the process begins to apply the offer. */
  progress?: OfferProgress;
  resolve(answer: PeerAnswer): void;
  reject(error: MediaError): void;
}

/** One media process, seen from the service. */
export class SupervisedProcess {
  readonly #child: ChildProcess;
  readonly #events: ProcessEvents;
  readonly #exchanges = new Map<number, PendingExchange>();
  #lastExchangeId = 0;
  #lastMessageAtMs = 0;
  #errorOutput = "";
  #hasDied = false;
  #hasAnswered = false;
  readonly #startLimit: TimeLimit;
  readonly #patience: number;
  /** What begins when it is ready; null when it is. */
  #whenReady: (() => void)[] | null = [];

  /** `patience`: how many times its usual time limits it gets, on a machine that is too busy for them. */
  constructor(processUrl: URL, settings: MediaProcessSettings, events: ProcessEvents, patience = 1) {
    this.#events = events;
    this.#patience = patience;
    this.#child = fork(fileURLToPath(processUrl), [], {
      serialization: "advanced",
      execArgv: [],
      env: { ...allocatorSettings, ...process.env },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    if (this.#child.stderr)
      createInterface(this.#child.stderr).on("line", (line) => this.#handleErrorLine(line));
    this.#child.on("message", (message: MessageFromProcess) => this.#handle(message));
    this.#child.on("error", (error) => this.#die(error.message));
    this.#child.on("exit", (code, signal) =>
      this.#die(
        `exit code ${code ?? "none"}, signal ${signal ?? "none"}: ${this.#errorOutput.trim()}`,
        code === 0,
      ),
    );
    this.#startLimit = new TimeLimit(startTimeoutMs, () => this.#child.kill("SIGKILL"));
    this.send({ type: "start", settings });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends a message. Does nothing if the process has ended. */
  send(message: MessageToProcess): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** Sends messages one after another, each after the previous one is written, so that other messages can go between them. */
  async sendInTurn(messages: Iterable<MessageToProcess>): Promise<void> {
    for (const message of messages) {
      if (!this.#child.connected) return;
      await new Promise<void>((resolve) => this.#child.send(message, () => resolve()));
    }
  }

  /** Lets the process answer an offer. Rejects with MediaError. */
  exchange(request: PeerRequest): Promise<PeerAnswer> {
    const exchangeId = ++this.#lastExchangeId;
    return new Promise((resolve, reject) => {
      if (this.#hasDied) throw MediaError.processDied();
      let limit: TimeLimit | undefined;
      const handleTimeout = (): void => {
        // Without any message in that time, the process hangs, and its sessions need a new one.
        const { progress } = this.#exchanges.get(exchangeId) ?? {};
        const hangs = performance.now() - this.#lastMessageAtMs > silentMs * this.#patience;
        this.#exchanges.delete(exchangeId);
        reject(
          hangs && progress === "applying" ? MediaError.fatalOffer() : MediaError.exchangeTimeout(limitMs),
        );
        if (hangs) this.#child.kill("SIGKILL");
      };
      const limitMs = this.#patience * (this.#hasAnswered ? exchangeTimeoutMs : firstExchangeTimeoutMs);
      // A process that is still starting does not hang.
      const begin = (): void => void (limit = new TimeLimit(limitMs, handleTimeout));
      if (this.#whenReady) this.#whenReady.push(begin);
      else begin();
      const settle = <Value>(then: (value: Value) => void) => {
        return (value: Value): void => {
          limit?.end();
          this.#exchanges.delete(exchangeId);
          then(value);
        };
      };
      this.#exchanges.set(exchangeId, { resolve: settle(resolve), reject: settle(reject) });
      this.send({ type: "exchange", exchangeId, request });
    });
  }

  /** Stops the process. Resolves when it has ended. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#hasDied) {
        resolve();
        return;
      }
      const limit = new TimeLimit(stopTimeoutMs * this.#patience, () => this.#child.kill("SIGKILL"));
      this.#child.once("exit", () => {
        limit.end();
        resolve();
      });
      this.send({ type: "stop" });
    });
  }

  #handle(message: MessageFromProcess): void {
    this.#lastMessageAtMs = performance.now();
    switch (message.type) {
      case "ready":
        this.#startLimit.end();
        for (const begin of this.#whenReady ?? []) begin();
        this.#whenReady = null;
        this.#events.onReady();
        break;
      case "offer-progress": {
        const exchange = this.#exchanges.get(message.exchangeId);
        if (exchange) exchange.progress = message.progress;
        break;
      }
      case "answer":
        this.#hasAnswered = true;
        this.#exchanges.get(message.exchangeId)?.resolve(message.answer);
        break;
      case "exchange-failed":
        this.#exchanges.get(message.exchangeId)?.reject(new MediaError(message.code, message.detail));
        break;
      default:
        this.#events.onNews(message);
    }
  }

  #handleErrorLine(line: string): void {
    this.#errorOutput = `${this.#errorOutput}${line}\n`.slice(-errorOutputMaxLength);
    this.#events.onErrorLine(line.slice(0, errorOutputMaxLength));
  }

  #die(detail: string, isClean = false): void {
    if (this.#hasDied) return;
    this.#hasDied = true;
    this.#startLimit.end();
    this.#whenReady = null;
    const pending = [...this.#exchanges.values()];
    // An offer that was being applied is to blame. If there is none, those that were just applied are.
    const blamed = pending.some(({ progress }) => progress === "applying") ? "applying" : "applied";
    for (const { progress, reject } of pending)
      reject(progress === blamed ? MediaError.fatalOffer() : MediaError.processDied());
    this.#events.onDied(detail, isClean);
  }
}
