import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { PeerAnswer, PeerRequest } from "./media-engine.ts";
import { MediaError } from "./media-error.ts";
import type {
  MediaProcessSettings,
  MessageFromProcess,
  MessageToProcess,
  OfferProgress,
} from "./media-ipc.ts";

const exchangeTimeoutMs = 5_000;

/** A process that owes an answer and says nothing for so long hangs. Before an answer it tells how far it has come. */
const silentMs = 3_000;

const stopTimeoutMs = 2_000;

/** Of what a process wrote before it died, the end is kept for the log. */
const errorOutputMaxLength = 1_000;

/**
 * For glibc's allocator. The WebRTC library allocates in many threads and frees in others: with an arena for each thread, what
 * sessions gave back stayed with the process (some 100 MB after 100 sessions). Two arenas, and buffers of pictures in mappings
 * of their own, go back to the system.
 */
const allocatorSettings = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/** Messages that are no answer to an exchange. */
export type ProcessNews = Exclude<
  MessageFromProcess,
  { type: "ready" } | { type: "answer" } | { type: "exchange-failed" } | { type: "offer-progress" }
>;

/** What is told of a process. */
export interface ProcessEvents {
  /** It takes exchanges at once; before, they wait in its queue. */
  onReady(): void;
  onNews(news: ProcessNews): void;
  /** It is gone. `detail` says how; `isClean`: it ended by itself, with exit code 0. */
  onDied(detail: string, isClean: boolean): void;
}

interface PendingExchange {
  /** Undefined while the process has not begun. */
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

  constructor(processUrl: URL, settings: MediaProcessSettings, events: ProcessEvents) {
    this.#events = events;
    this.#child = fork(fileURLToPath(processUrl), [], {
      serialization: "advanced",
      execArgv: [],
      env: { ...allocatorSettings, ...process.env },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-errorOutputMaxLength);
    });
    this.#child.on("message", (message) => this.#handle(message as MessageFromProcess));
    this.#child.on("error", (error) => this.#die(error.message));
    this.#child.on("exit", (code, signal) =>
      this.#die(
        `exit code ${code ?? "none"}, signal ${signal ?? "none"}: ${this.#errorOutput.trim()}`,
        code === 0,
      ),
    );
    this.send({ type: "start", settings });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends a message; to a process that is gone, nothing happens. */
  send(message: MessageToProcess): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** Sends messages one after another, each when the one before is written: between them others have their turn. */
  async sendInTurn(messages: Iterable<MessageToProcess>): Promise<void> {
    for (const message of messages) {
      if (!this.#child.connected) return;
      await new Promise<void>((resolve) => this.#child.send(message, () => resolve()));
    }
  }

  /** Has the process answer an offer. Rejects with MediaError. */
  exchange(request: PeerRequest): Promise<PeerAnswer> {
    const exchangeId = ++this.#lastExchangeId;
    return new Promise((resolve, reject) => {
      if (this.#hasDied) throw MediaError.processDied();
      const timer = setTimeout(() => {
        // Not a word in all that time: it hangs, and only a new process can help its sessions.
        const { progress } = this.#exchanges.get(exchangeId) ?? {};
        const hangs = performance.now() - this.#lastMessageAtMs > silentMs;
        this.#exchanges.delete(exchangeId);
        reject(
          hangs && progress === "applying"
            ? MediaError.fatalOffer()
            : MediaError.exchangeTimeout(exchangeTimeoutMs),
        );
        if (hangs) this.#child.kill("SIGKILL");
      }, exchangeTimeoutMs);
      const settle = <Value>(then: (value: Value) => void) => {
        return (value: Value): void => {
          clearTimeout(timer);
          this.#exchanges.delete(exchangeId);
          then(value);
        };
      };
      this.#exchanges.set(exchangeId, { resolve: settle(resolve), reject: settle(reject) });
      this.send({ type: "exchange", exchangeId, request });
    });
  }

  /** Ends the process; resolves when it is gone. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#hasDied) {
        resolve();
        return;
      }
      const timer = setTimeout(() => this.#child.kill("SIGKILL"), stopTimeoutMs);
      this.#child.once("exit", () => {
        clearTimeout(timer);
        resolve();
      });
      this.send({ type: "stop" });
    });
  }

  #handle(message: MessageFromProcess): void {
    this.#lastMessageAtMs = performance.now();
    switch (message.type) {
      case "ready":
        this.#events.onReady();
        break;
      case "offer-progress": {
        const exchange = this.#exchanges.get(message.exchangeId);
        if (exchange) exchange.progress = message.progress;
        break;
      }
      case "answer":
        this.#exchanges.get(message.exchangeId)?.resolve(message.answer);
        break;
      case "exchange-failed":
        this.#exchanges.get(message.exchangeId)?.reject(new MediaError(message.code, message.detail));
        break;
      default:
        this.#events.onNews(message);
    }
  }

  #die(detail: string, isClean = false): void {
    if (this.#hasDied) return;
    this.#hasDied = true;
    const pending = [...this.#exchanges.values()];
    // One that was in the library's hands is to blame; where none was, those that it had just let go of.
    const blamed = pending.some(({ progress }) => progress === "applying") ? "applying" : "applied";
    for (const { progress, reject } of pending)
      reject(progress === blamed ? MediaError.fatalOffer() : MediaError.processDied());
    this.#events.onDied(detail, isClean);
  }
}
