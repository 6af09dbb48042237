import { defaultVariant } from "../../protocol/variant.ts";
import { texts } from "../texts/texts.ts";
import { settingsOf } from "./editor-state.ts";
import type { EditorView } from "./editor-view.ts";
import { previewable } from "./form-faults.ts";
import type { Tab } from "./form-fields.ts";
import type { PreviewFeed } from "./preview-feed.ts";
import type { Pose } from "./preview-message.ts";
import type { PreviewContent } from "./preview-pane.ts";

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
  const { ui = {}, stage = {} } = settings.embed_config;
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
