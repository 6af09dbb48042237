import type { TemplateResult } from "lit";
import type { EditorView } from "./editor-view.ts";
import { described, labelled } from "./field-views.ts";
import { typedLine } from "./typed-text.ts";

const path = "embed_config.analytics.data_layer";
const standardName = "dataLayer";

/** The name of the page's array for events. The setting is `true` for the usual one. */
export function dataLayer(view: EditorView): TemplateResult {
  const value = view.state.value(path);
  const shown = value === true ? standardName : typeof value === "string" ? value : "";
  const read = (text: string): string | true | undefined => {
    const name = text.trim();
    return name === "" ? undefined : name === standardName ? true : name;
  };
  return labelled(view, path, typedLine(view, path, { shown, read, describedBy: described(view, path) }));
}
