import type * as z from "zod";
import { inboxCountsSchema } from "../../protocol/console/inbox-counts.ts";
import { unansweredListSchema } from "../../protocol/console/unanswered.ts";
import type { ApiClient } from "../api/api-client.ts";
import { ApiError } from "../api/api-error.ts";
import type { NavigationEntry } from "./navigation-entries.ts";

/** The figures beside entries of the navigation: how many questions have no answer, and how many messages are new. */
export class Badges {
  shown: Readonly<Partial<Record<NavigationEntry, number>>> = {};
  /** How many messages are in each state; null: not known yet. */
  messages: z.infer<typeof inboxCountsSchema> | null = null;
  readonly #api: ApiClient;
  readonly #listeners = new Set<() => void>();
  #attempt = 0;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** Calls back when the figures have been read, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the figures again. Without an answer they stay as they are: the page tells what is wrong. */
  async load(): Promise<void> {
    const attempt = ++this.#attempt;
    try {
      const [{ counts }, inbox] = await Promise.all([
        this.#api.request("/api/console/unanswered/", { query: { limit: 0 }, schema: unansweredListSchema }),
        this.#api.request("/api/console/inbox-counts/", { schema: inboxCountsSchema }),
      ]);
      if (attempt !== this.#attempt) return;
      this.messages = inbox;
      this.shown = { unanswered: counts.open, inbox: inbox.new };
      for (const listener of this.#listeners) listener();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
