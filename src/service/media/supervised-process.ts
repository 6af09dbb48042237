import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { PeerAnswer, PeerRequest } from "./media-engine.ts";
import { MediaError } from "./media-error.ts";
import type { MediaProcessSettings, MessageFromProcess, MessageToProcess } from "./media-ipc.ts";

const exchangeTimeoutMs = 5_000;
const stopTimeoutMs = 2_000;

/** Of what a process wrote before it died, the end is kept for the log. */
const errorOutputMaxLength = 1_000;

/** Messages that are no answer to an exchange. */
export type ProcessNews = Exclude<
  MessageFromProcess,
  { type: "ready" } | { type: "answer" } | { type: "exchange-failed" }
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
    const askedAtMs = performance.now();
    return new Promise((resolve, reject) => {
      if (this.#hasDied) throw MediaError.processDied();
      const timer = setTimeout(() => {
        this.#exchanges.delete(exchangeId);
        reject(MediaError.exchangeTimeout(exchangeTimeoutMs));
        // Not a word in all that time: it hangs, and only a new process can help its sessions.
        if (this.#lastMessageAtMs < askedAtMs) this.#child.kill("SIGKILL");
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
    for (const { reject } of [...this.#exchanges.values()]) reject(MediaError.processDied());
    this.#events.onDied(detail, isClean);
  }
}
