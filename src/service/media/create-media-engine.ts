import type { MediaEngine, MediaHooks, PeerAnswer, PeerRequest } from "./media-engine.ts";
import { sessionReference, type Logger } from "../../logging/logger.ts";
import { MediaError } from "./media-error.ts";
import type { MediaProcessSettings } from "./processes/media-ipc.ts";
import { admittedOffer } from "./negotiation/offer-admission.ts";
import { OrderHandler } from "./processes/order-handler.ts";
import { ProcessPool } from "./processes/process-pool.ts";
import { isAdmittedAddress, type PrivateCandidates } from "./negotiation/remote-address.ts";
import type { ProcessNews, SupervisedProcess } from "./processes/supervised-process.ts";

/** Dependencies and settings of the engine. */
export interface MediaEngineOptions {
  /** URL of the built `media-process` script. */
  processUrl: URL;
  /** The number of processes that share the sessions; one more is a spare. Default 1: a process uses about two cores. */
  processes?: number | undefined;
  hooks: MediaHooks;
  log: Pick<Logger, "info" | "warn">;
  settings?: Partial<MediaProcessSettings> | undefined;
  /** How many times their usual time limits the processes get, on a machine that is too busy for them. Default: 1. */
  patience?: number | undefined;
  /** Whether media is sent to candidates in private networks. Default `auto`. */
  privateCandidates?: PrivateCandidates | undefined;
}

/**
 * The picture size of the widget's floating window at one device pixel per CSS pixel. Most conversations keep this size;
 * other clients send `change-size`.
 */
export const defaultPictureSize = 432;

/** The process of a session's peer. */
interface Home {
  child: SupervisedProcess;
  /** Whether the process has answered an offer of the session. */
  isSettled: boolean;
}

/** Runs peer connections in supervised child processes. When one dies, only its sessions end, and it is replaced. */
export function createMediaEngine(options: MediaEngineOptions): MediaEngine {
  return new ProcessMediaEngine(options);
}

class ProcessMediaEngine implements MediaEngine {
  readonly #options: MediaEngineOptions;
  readonly #homes = new Map<string, Home>();
  readonly #orders: OrderHandler;
  readonly #pool: ProcessPool;

  constructor(options: MediaEngineOptions) {
    const { processUrl, processes = 1, hooks, log, settings, patience } = options;
    this.#options = options;
    this.#orders = new OrderHandler(hooks);
    this.#pool = new ProcessPool({
      processUrl,
      size: processes,
      settings: {
        ...{ pictureSize: defaultPictureSize, preloadCharacters: [] },
        // The build puts both scripts into one folder.
        photoWorkerUrl: new URL("./photo-worker.js", processUrl).href,
        ...settings,
      },
      patience,
      log,
      onNews: (child, news) => this.#handleNews(child, news),
      onDied: (child) => this.#handleDeath(child),
    });
  }

  get peerCount(): number {
    return this.#homes.size;
  }

  get readyProcesses(): number {
    return this.#pool.readyCount;
  }

  async exchange(request: PeerRequest): Promise<PeerAnswer> {
    if (this.#pool.isStopped) throw MediaError.stopped();
    const { privateCandidates = "auto", settings } = this.#options;
    const offerSdp = admittedOffer(request.offerSdp, (address) =>
      isAdmittedAddress(address, { privateCandidates, publicAddress: settings?.publicAddress }),
    );
    const home = this.#homeFor(request.sessionId);
    try {
      const answer = await home.child.exchange({ ...request, offerSdp });
      home.isSettled = true;
      return answer;
    } catch (error) {
      if (!home.isSettled && this.#homes.get(request.sessionId) === home)
        this.#homes.delete(request.sessionId);
      throw error;
    }
  }

  close(sessionId: string): void {
    this.#homes.get(sessionId)?.child.send({ type: "close", sessionId });
    this.#homes.delete(sessionId);
  }

  announceRestart(): void {
    for (const child of new Set([...this.#homes.values()].map((home) => home.child)))
      child.send({ type: "restart" });
  }

  async stop(): Promise<void> {
    this.#homes.clear();
    await this.#pool.stop();
  }

  #homeFor(sessionId: string): Home {
    const present = this.#homes.get(sessionId);
    if (present) return present;
    const load = (child: SupervisedProcess): number =>
      [...this.#homes.values()].filter((home) => home.child === child).length;
    const home = { child: this.#pool.pick(load), isSettled: false };
    this.#homes.set(sessionId, home);
    return home;
  }

  #handleNews(child: SupervisedProcess, news: ProcessNews): void {
    const { hooks, log } = this.#options;
    switch (news.type) {
      case "order":
        this.#orders.handle(child, news);
        return;
      case "abandon-order":
        this.#orders.abandon(child, news.orderId);
        return;
      case "warning":
        log.warn(news.message, { session: sessionReference(news.sessionId) });
        return;
      case "connected":
        hooks.onConnected(news.sessionId);
        return;
      case "activity":
        hooks.onActivity(news.sessionId);
        return;
      case "closed":
        if (this.#homes.get(news.sessionId)?.child !== child) return;
        this.#homes.delete(news.sessionId);
        hooks.onClosed(news.sessionId, news.cause);
    }
  }

  #handleDeath(child: SupervisedProcess): void {
    const { hooks } = this.#options;
    if (!this.#pool.isStopped) hooks.onProcessDied();
    this.#orders.abandonAll(child);
    for (const [sessionId, home] of [...this.#homes]) {
      if (home.child !== child) continue;
      this.#homes.delete(sessionId);
      if (home.isSettled) hooks.onClosed(sessionId, "process-died");
    }
  }
}
