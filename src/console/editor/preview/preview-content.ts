import { contextPreviewSchema } from "../../../protocol/console/previews.ts";
import type { ContextSettings } from "../../../protocol/settings/embed-context.ts";
import type { ApiClient } from "../../api/api-client.ts";
import { ApiError } from "../../api/api-error.ts";
import { defaultVariant } from "../../../protocol/settings/variant.ts";
import { readConfig } from "../../../protocol/settings/read-config.ts";
import { texts } from "../../texts/texts.ts";
import { settingsOf } from "../editor-state.ts";
import type { EditorView } from "../editor-view.ts";
import { previewable, type Tab } from "../fields/form-fields.ts";
import type { Pose } from "./preview-message.ts";
import type { PreviewContent } from "./preview-pane.ts";

/** The shortest time between two requests for an embed key, in ms. The first change after a pause is sent at once. */
const restMs = 150;

/** Gets embed keys for settings that nobody has saved. While a request runs, only the latest settings wait. */
export class PreviewFeed {
  /** The key of the latest settings that the server took; null: none yet. */
  contextId: string | null = null;
  /** The latest settings were refused: the key is of the ones before. */
  isBehind = false;
  readonly #put: (settings: ContextSettings) => Promise<string>;
  readonly #changed: () => void;
  #waiting: ContextSettings | null = null;
  #isRunning = false;
  #last = "";

  constructor(put: (settings: ContextSettings) => Promise<string>, changed: () => void) {
    this.#put = put;
    this.#changed = changed;
  }

  /** A feed of a context's previews. */
  static of(api: ApiClient, id: string, changed: () => void): PreviewFeed {
    const put = async (settings: ContextSettings): Promise<string> => {
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
  show(settings: ContextSettings): void {
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

  async #send(settings: ContextSettings): Promise<void> {
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

/** The state of a conversation in which each part of the editor is seen best; null: before one begins. */
const poses: Readonly<Record<Tab, Pose["kind"] | null>> = {
  look: "speaking",
  voice: "speaking",
  mind: "ready",
  behaviour: null,
  limits: "busy",
  embed: null,
};

/** A pose with the words of a greeting. Without one, nothing was said; but who is speaking says something. */
function poseOf(tab: Tab, greeting: string, name: string): Pose | null {
  const kind = poses[tab];
  if (kind === null) return null;
  return {
    kind,
    words: greeting === "" && kind === "speaking" ? texts.editor.voices.sample(name) : greeting,
  };
}

/** What the preview shows of the form in a part of the editor. */
export function previewContent(view: EditorView, feed: PreviewFeed, tab: Tab): PreviewContent {
  const { state, name, mayEdit } = view;
  const { preview } = texts.editor;
  const settings = previewable(state.settings, settingsOf(state.saved), state.faults.keys());
  const { ui = {}, stage = {} } = readConfig(settings.embed_config);
  const { padding_left, padding_top, padding_height } = stage;
  const isFramed = tab === "look" && mayEdit;
  return {
    contextId: feed.contextId,
    isBehind: feed.isBehind,
    view: tab === "embed" ? "launcher" : "panel",
    pose: poseOf(tab, settings.greeting, name),
    theme: ui.theme ?? "auto",
    owner: ui.owner_name ?? settings.name,
    framing: isFramed ? { move: preview.move(name), resize: preview.resize } : null,
    hint: isFramed ? preview.hint(name) : "",
    attributes: {
      variant: ui.variant ?? defaultVariant,
      placement: ui.placement ?? "bottom-right",
      captions: ui.captions === false ? "false" : "true",
      transparent: stage.transparent === true,
      paddings: {
        ...(padding_left !== undefined && { padding_left }),
        ...(padding_top !== undefined && { padding_top }),
        ...(padding_height !== undefined && { padding_height }),
      },
    },
  };
}
