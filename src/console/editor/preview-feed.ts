import { contextPreviewSchema } from "../../protocol/console/previews.ts";
import type { EmbedContextPut } from "../../protocol/embed-context.ts";
import type { ApiClient } from "../api/api-client.ts";
import { ApiError } from "../api/api-error.ts";

/** The shortest time between two requests for an embed key, in ms. The first change after a pause is sent at once. */
const restMs = 150;

/** Gets embed keys for settings that nobody has saved. While a request runs, only the latest settings wait. */
export class PreviewFeed {
  /** The key of the latest settings that the server took; null: none yet. */
  contextId: string | null = null;
  /** The latest settings were refused: the key is of the ones before. */
  isBehind = false;
  readonly #put: (settings: EmbedContextPut) => Promise<string>;
  readonly #changed: () => void;
  #waiting: EmbedContextPut | null = null;
  #isRunning = false;
  #last = "";

  constructor(put: (settings: EmbedContextPut) => Promise<string>, changed: () => void) {
    this.#put = put;
    this.#changed = changed;
  }

  /** A feed of a context's previews. */
  static of(api: ApiClient, id: string, changed: () => void): PreviewFeed {
    const put = async (settings: EmbedContextPut): Promise<string> => {
      const path = `/api/console/contexts/${id}/preview/`;
      const preview = await api.request(path, {
        method: "PUT",
        body: { settings },
        schema: contextPreviewSchema,
      });
      return preview.context_id;
    };
    return new PreviewFeed(put, changed);
  }

  /** Shows settings as soon as possible. */
  show(settings: EmbedContextPut): void {
    const text = JSON.stringify(settings);
    if (text === this.#last) return;
    this.#last = text;
    this.#waiting = settings;
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#waiting) {
      const settings = this.#waiting;
      this.#waiting = null;
      await this.#send(settings);
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    this.#isRunning = false;
  }

  async #send(settings: EmbedContextPut): Promise<void> {
    try {
      this.contextId = await this.#put(settings);
      this.isBehind = false;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.isBehind = true;
      // The same settings are tried again with the next change.
      this.#last = "";
    }
    this.#changed();
  }
}
