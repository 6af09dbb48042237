import { randomUUID } from "node:crypto";
import type { UnitIndexes } from "../../../knowledge/matching/unit-index.ts";
import type { Logger } from "../../../../logging/logger.ts";
import type { WebsiteReport } from "../../../../protocol/console/websites.ts";
import type { Clock } from "../../../clock.ts";
import { errorMessage } from "../../../faults/error-message.ts";
import type { OutboundCalls } from "../../../outbound/outbound-calls.ts";
import { runsService } from "../../organizations.ts";
import type { TextReader } from "../reading/text-reader.ts";
import type { FileStore, Store, WebsiteReadingLease, WebsiteRecord } from "../../../store/store.ts";
import { nextReadingMs } from "./next-reading.ts";
import { WebsiteFault } from "./website-fault.ts";
import { putWebsiteText } from "./website-document.ts";

/** What reading websites needs. */
export interface WebsiteReaderParts {
  store: Pick<Store, "websites" | "catalogue" | "contexts" | "deletedDocuments" | "organizations" | "alone">;
  files: FileStore;
  clock: Clock;
  log: Logger;
  indexOf?: UnitIndexes | undefined;
  outbound: OutboundCalls;
  textReader: Pick<TextReader, "read">;
  /** The least time between two requests to a website, in ms. Default: 100. */
  pauseMs?: number;
}

/** Reads websites when their time has come. */
export interface WebsiteReader {
  /** Checks now whether a website is due, and reads it in the background. */
  wake(): void;
  /** Looks regularly. */
  start(): void;
  /** Stops; what is being read is read again by the next process. */
  stop(): Promise<void>;
}

const intervalMs = 30_000;
/** A process that says nothing for so long has ended, and another one reads the website. */
const leaseMs = 90_000;
/** How many websites one process reads at once, so that a slow one does not hold up the others. */
const atOnce = 3;
/** Progress is noted so often. */
const progressMs = 500;
/** How long one website may take. */
const longestMs = 30 * 60_000;

/** After so many processes have ended while they read a website, it is taken for the cause. */
const maxAttempts = 2;

/** The website was stopped or removed, or another process reads it. */
class ReadingLost extends Error {}

/** What reads websites is loaded when there is one: it is not small. */
const loadReading = async () => (await import("./read-website.ts")).readWebsite;

async function read(
  { store, clock, outbound, textReader, pauseMs = 100 }: WebsiteReaderParts,
  website: WebsiteRecord,
  lease: WebsiteReadingLease,
  signal: AbortSignal,
) {
  const readWebsite = await loadReading();
  const limit = AbortSignal.timeout(longestMs);
  let notedAtMs = -Infinity;
  const onProgress = async (report: WebsiteReport): Promise<void> => {
    if (performance.now() - notedAtMs < progressMs) return;
    notedAtMs = performance.now();
    if (!(await store.websites.progress(lease, report, clock.nowMs() + leaseMs))) throw new ReadingLost();
  };
  try {
    return await readWebsite({
      address: website.address,
      paths: website.paths,
      fetch: outbound.address({ isOperators: await runsService(store, website.organizationId) }),
      reader: textReader,
      signal: AbortSignal.any([signal, limit]),
      onProgress,
      pauseMs,
    });
  } catch (error) {
    if (limit.aborted && !signal.aborted) throw new WebsiteFault("timeout", { cause: error });
    throw error;
  }
}

/**
 * Reads a website, and records the result. A failure leaves the document as it was. One that cost too much is not read again by
 * itself.
 */
async function readOne(
  parts: WebsiteReaderParts,
  website: WebsiteRecord,
  lease: WebsiteReadingLease,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, log } = parts;
  const { id, organizationId } = website;
  const finish = async (
    outcome: Pick<WebsiteRecord, "state" | "problem" | "report" | "hasDocument">,
  ): Promise<void> => {
    const finishedAtMs = clock.nowMs();
    // How often it is read may have changed meanwhile.
    const { every } = (await store.websites.find(organizationId, id)) ?? website;
    const isHopeless = outcome.problem === "too_complex";
    const nextAtMs = isHopeless ? null : nextReadingMs(every, finishedAtMs, id);
    await store.websites.finish(lease, { ...outcome, nextAtMs, finishedAtMs });
  };
  try {
    const isGone = website.hasDocument && !(await store.catalogue.row("document", organizationId, id));
    // Somebody has deleted the document. Who takes that back, finds the website stopped.
    if (isGone) {
      await store.websites.stop(organizationId, id, null);
      return;
    }
    if (website.attempts > maxAttempts) throw new WebsiteFault("too_complex");
    const { text, report } = await read(parts, website, lease, signal);
    // Somebody may have stopped it while the last page was read.
    if (!(await store.websites.progress(lease, report, clock.nowMs() + leaseMs))) return;
    const hasDocument = await putWebsiteText(parts, website, text);
    await finish({ state: "ready", problem: null, report, hasDocument: hasDocument || website.hasDocument });
    log.info("a website was read", { entries: report.pages.filter((page) => page.left_out === null).length });
  } catch (error) {
    if (error instanceof ReadingLost) return;
    if (signal.aborted) {
      await store.websites.giveBack(lease, clock.nowMs());
      return;
    }
    const { report } = (await store.websites.find(organizationId, id)) ?? website;
    const problem = error instanceof WebsiteFault ? error.reason : "unreachable";
    if (!(error instanceof WebsiteFault))
      log.error("a website could not be read", { error: errorMessage(error) });
    await finish({
      state: "failed",
      problem,
      report: { ...report, reading: null, waiting: 0 },
      hasDocument: website.hasDocument,
    });
  }
}

/** Reads a few websites at once. With several processes, each website is read by one of them. */
export function createWebsiteReader(parts: WebsiteReaderParts): WebsiteReader {
  const { store, clock, log } = parts;
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isAskedAgain = false;

  async function readDue(): Promise<void> {
    while (!ending.signal.aborted) {
      const run = randomUUID();
      const nowMs = clock.nowMs();
      const website = await store.websites.take(run, nowMs, nowMs + leaseMs);
      if (website === null) return;
      await readOne(parts, website, { id: website.id, run }, ending.signal);
    }
  }

  function wake(): void {
    if (ending.signal.aborted) return;
    if (running.size >= atOnce) {
      isAskedAgain = true;
      return;
    }
    const reading = readDue()
      .catch((error: unknown) => log.error("websites could not be read", { error: errorMessage(error) }))
      .finally(() => {
        running.delete(reading);
        // A website may have come after this reading had looked for the next one.
        wakeAgain();
      });
    running.add(reading);
  }

  function wakeAgain(): void {
    if (!isAskedAgain) return;
    isAskedAgain = false;
    wake();
  }

  return {
    wake,
    start() {
      timer ??= setInterval(wake, intervalMs).unref();
    },
    async stop() {
      clearInterval(timer);
      ending.abort(new Error("The server is stopping."));
      await Promise.all(running);
    },
  };
}
