import { unansweredListSchema } from "../../protocol/console/unanswered.ts";
import type { ApiClient } from "../api/api-client.ts";
import { ApiError } from "../api/api-error.ts";
import type { NavigationEntry } from "./navigation-entries.ts";

/** The figures beside entries of the navigation: how many questions have no answer. */
export class Badges {
  shown: Readonly<Partial<Record<NavigationEntry, number>>> = {};
  readonly #api: ApiClient;
  readonly #listeners = new Set<() => void>();
  #attempt = 0;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** Calls back when a figure changes. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Reads the figures again. Without an answer they stay as they are: the page tells what is wrong. */
  async load(): Promise<void> {
    const attempt = ++this.#attempt;
    try {
      const { counts } = await this.#api.request("/api/console/unanswered/", {
        query: { limit: 0 },
        schema: unansweredListSchema,
      });
      if (attempt !== this.#attempt || counts.open === this.shown.unanswered) return;
      this.shown = { unanswered: counts.open };
      for (const listener of this.#listeners) listener();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
