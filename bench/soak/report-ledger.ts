import type { Page } from "@playwright/test";
import { callApi, storedEvents } from "../../e2e/support/service-api.ts";
import type { Server } from "../../e2e/support/stack.ts";

/** The result of one session, from its page and from the service's records. */
export interface SessionOutcome {
  id: string;
  /** Kinds of the events that the service confirmed to the page. */
  confirmed: string[];
  /** Kinds of the events that the service stored, oldest first. */
  stored: string[];
  terminationReason: string | null;
  /** Questions asked, and questions whose answer was received in full and heard. */
  asked: number;
  answered: number;
  /** Whether the visitor closed the tab. Then the service ends the session, and no page reports an END. */
  closedTab: boolean;
}

/** How many confirmed events of a session are missing in the service's list. */
export function lostEvents({ confirmed, stored }: Pick<SessionOutcome, "confirmed" | "stored">): number {
  const left = [...stored];
  return confirmed.filter((kind) => {
    const place = left.indexOf(kind);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  }).length;
}

const count = (kinds: readonly string[], kind: string): number =>
  kinds.filter((stored) => stored === kind).length;

/** The faults of a session that should have started, talked and ended once; empty if there are none. */
export function faultsOf(outcome: SessionOutcome): string[] {
  const { stored, terminationReason, asked, answered, closedTab } = outcome;
  const [ends, expectedEnds] = [count(stored, "SESSION_END"), closedTab ? 0 : 1];
  const faults: string[] = [];
  if (count(stored, "SESSION_START") !== 1)
    faults.push(`${count(stored, "SESSION_START")} START instead of one`);
  if (ends !== expectedEnds) faults.push(`${ends} END instead of ${expectedEnds}`);
  if (stored.includes("SESSION_ERROR")) faults.push("a SESSION_ERROR");
  if (terminationReason !== "GRACEFUL_TERMINATION") faults.push(`ended by ${terminationReason ?? "nothing"}`);
  if (lostEvents(outcome) > 0) faults.push(`${lostEvents(outcome)} confirmed events are not stored`);
  if (answered < asked) faults.push(`${asked - answered} of ${asked} questions without a heard answer`);
  return faults.map((fault) => `session ${outcome.id.slice(0, 8)}…: ${fault}`);
}

/** Records the events that the service confirmed to pages, by session. */
export class ReportLedger {
  readonly #confirmed = new Map<string, string[]>();

  watch(page: Page): void {
    page.on("response", (response) => {
      const session = /\/sessions\/([^/]+)\/event$/.exec(response.url())?.[1];
      if (!session || response.status() !== 201) return;
      const body = response.request().postDataJSON() as { event: string };
      this.#confirmed.set(session, [...(this.#confirmed.get(session) ?? []), body.event]);
    });
  }

  /** Waits until the service has ended the session, at most 45 s, and returns its result. */
  async outcome(
    server: Server,
    id: string,
    { asked, answered, closedTab }: Pick<SessionOutcome, "asked" | "answered" | "closedTab">,
  ): Promise<SessionOutcome> {
    let terminationReason: string | null = null;
    for (let attempt = 0; attempt < 90 && terminationReason === null; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 500));
      const view = (await (await callApi(server, `/api/v1/session/${id}/`)).json()) as {
        termination_reason: string | null;
      };
      terminationReason = view.termination_reason;
    }
    const stored = await storedEvents(server, id);
    const confirmed = this.#confirmed.get(id) ?? [];
    this.#confirmed.delete(id);
    return { id, confirmed, stored, terminationReason, asked, answered, closedTab };
  }
}
