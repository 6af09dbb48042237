import type { MediaEngine, MediaHooks, PeerAnswer, PeerRequest } from "./media-engine.ts";
import type { MediaLog } from "./media-log.ts";
import { MediaError } from "./media-error.ts";
import type { MediaProcessSettings } from "./media-ipc.ts";
import { admittedOffer } from "./offer-admission.ts";
import { OrderDesk } from "./order-desk.ts";
import { ProcessFleet } from "./process-fleet.ts";
import { isAdmittedAddress, type PrivateCandidates } from "./remote-address.ts";
import type { ProcessNews, SupervisedProcess } from "./supervised-process.ts";

/** What the engine is made from. */
export interface MediaEngineOptions {
  /** Where `media-process` lies, built as a script that Node runs. */
  processUrl: URL;
  /** Over how many processes sessions are spread; one more stands by. Default 1: a process uses about two cores. */
  processes?: number | undefined;
  hooks: MediaHooks;
  log: MediaLog;
  settings?: Partial<MediaProcessSettings> | undefined;
  /** Whether media is sent to candidates in private networks. Default `auto`. */
  privateCandidates?: PrivateCandidates | undefined;
}

/**
 * What the widget's floating window shows at one device pixel per CSS pixel: most conversations keep the size that they
 * began with. Others ask for theirs with `change-size`.
 */
export const defaultPictureSize = 432;

/** Peer connections in child processes that are watched and replaced: one that dies takes only its own sessions along. */
export function createMediaEngine({
  processUrl,
  processes = 1,
  hooks,
  log,
  settings = {},
  privateCandidates = "auto",
}: MediaEngineOptions): MediaEngine {
  const homes = new Map<string, Home>();
  const desk = new OrderDesk(hooks);
  const fleet = new ProcessFleet({
    processUrl,
    size: processes,
    settings: { pictureSize: defaultPictureSize, preloadCharacters: [], ...settings },
    log,
    onNews: handleNews,
    onDied: handleDeath,
  });

  function handleNews(process: SupervisedProcess, news: ProcessNews): void {
    switch (news.type) {
      case "order":
        desk.take(process, news);
        return;
      case "abandon-order":
        desk.abandon(process, news.orderId);
        return;
      case "warning":
        log.warn(news.message, { session: news.sessionId.slice(0, 8) });
        return;
      case "connected":
        hooks.onConnected(news.sessionId);
        return;
      case "activity":
        hooks.onActivity(news.sessionId);
        return;
      case "closed":
        if (homes.get(news.sessionId)?.process !== process) return;
        homes.delete(news.sessionId);
        hooks.onClosed(news.sessionId, news.cause);
    }
  }

  function handleDeath(process: SupervisedProcess): void {
    if (!fleet.isStopped) hooks.onProcessDied();
    desk.abandonAll(process);
    for (const [sessionId, home] of [...homes]) {
      if (home.process !== process) continue;
      homes.delete(sessionId);
      if (home.isSettled) hooks.onClosed(sessionId, "process-died");
    }
  }

  function homeFor(sessionId: string): Home {
    const present = homes.get(sessionId);
    if (present) return present;
    const load = (process: SupervisedProcess): number =>
      [...homes.values()].filter((home) => home.process === process).length;
    const home = { process: fleet.pick(load), isSettled: false };
    homes.set(sessionId, home);
    return home;
  }

  return {
    async exchange(request: PeerRequest): Promise<PeerAnswer> {
      if (fleet.isStopped) throw MediaError.stopped();
      const offerSdp = admittedOffer(request.offerSdp, (address) =>
        isAdmittedAddress(address, { privateCandidates, publicAddress: settings.publicAddress }),
      );
      const home = homeFor(request.sessionId);
      try {
        const answer = await home.process.exchange({ ...request, offerSdp });
        home.isSettled = true;
        return answer;
      } catch (error) {
        if (!home.isSettled && homes.get(request.sessionId) === home) homes.delete(request.sessionId);
        throw error;
      }
    },
    get peerCount() {
      return homes.size;
    },
    close(sessionId: string): void {
      homes.get(sessionId)?.process.send({ type: "close", sessionId });
      homes.delete(sessionId);
    },
    async stop(): Promise<void> {
      homes.clear();
      await fleet.stop();
    },
  };
}

/** Where a session lives. */
interface Home {
  process: SupervisedProcess;
  /** Whether an offer of it has been answered there. */
  isSettled: boolean;
}
