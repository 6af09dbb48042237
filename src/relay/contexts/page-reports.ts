import { LRUCache } from "lru-cache";
import type { EmbedContext } from "../../protocol/settings/embed-context.ts";
import type { RelayClock, RelayLog, ServiceCall } from "../relay-deps.ts";
import { jsonBody, requestService } from "../service/service-request.ts";

/** A page is reported again after this time, in ms. */
const repeatMs = 5 * 60_000;
/** A report that failed is sent again after this time, in ms. */
const retryMs = 30_000;
const maxPages = 5_000;
/** With `max`, an empty cache would already take the memory and the time of a full one. */
const atMost = { maxSize: maxPages, sizeCalculation: () => 1 };

/** Refused pages reported in a minute: strangers can invent any number of them. */
const refusedPerMinute = 30;
const minuteMs = 60_000;

/** How long nothing is reported of a context for which the service takes no reports, in ms. */
const silenceMs = 60 * 60_000;

interface PageReportParts {
  service: ServiceCall;
  clock: RelayClock;
  log: RelayLog;
}

/**
 * Reports to the service which sites load an avatar, so that its owner sees when the first page shows it, and which pages may not.
 * Nobody waits for a report, and a failed one changes nothing for the page.
 */
export class PageReports {
  readonly #parts: PageReportParts;
  readonly #reported = new LRUCache<string, number>(atMost);
  readonly #silentUntilMs = new LRUCache<string, number>(atMost);
  #refused = { count: 0, untilMs: 0 };

  constructor(parts: PageReportParts) {
    this.#parts = parts;
  }

  /** Notes that a page of an origin asked for a context. */
  note({ id, context_id: contextId }: EmbedContext, origin: string, allowed: boolean): void {
    const { clock, log } = this.#parts;
    const nowMs = clock.now();
    const page = `${contextId} ${origin} ${allowed}`;
    const reportedAtMs = this.#reported.get(page);
    if (nowMs < (this.#silentUntilMs.get(id) ?? 0)) return;
    if (reportedAtMs !== undefined && nowMs - reportedAtMs < repeatMs) return;
    if (!allowed && !this.#mayReportRefusal(nowMs)) return;
    this.#reported.set(page, nowMs);
    this.#send(id, { origin, allowed }).catch((error: unknown) => {
      this.#reported.set(page, nowMs - repeatMs + retryMs);
      log.warn("a page could not be reported to the service", { context: contextId, error: String(error) });
    });
  }

  #mayReportRefusal(nowMs: number): boolean {
    if (nowMs >= this.#refused.untilMs) this.#refused = { count: 0, untilMs: nowMs + minuteMs };
    this.#refused.count += 1;
    return this.#refused.count <= refusedPerMinute;
  }

  async #send(contextUuid: string, report: { origin: string; allowed: boolean }): Promise<void> {
    const path = `/api/console/contexts/${encodeURIComponent(contextUuid)}/pages/`;
    const response = await requestService(this.#parts.service, path, jsonBody(report));
    await response.body?.cancel();
    // The context was deleted, or another implementation of the service has no such path.
    if ([404, 405].includes(response.status))
      this.#silentUntilMs.set(contextUuid, this.#parts.clock.now() + silenceMs);
    else if (!response.ok) throw new Error(`The service answered ${response.status}`);
  }
}
