import type { TemplateResult } from "lit";
import { html } from "lit";
import { live } from "lit/directives/live.js";
import { faultText, fieldId, type EditorView } from "./editor-view.ts";
import { described, labelled } from "./field-views.ts";

const path = "embed_config.analytics.data_layer";
const standardName = "dataLayer";

/** The name of the page's array for events. The setting is `true` for the usual one. */
export function dataLayer(view: EditorView): TemplateResult {
  const value = view.state.value(path);
  const shown = value === true ? standardName : typeof value === "string" ? value : "";
  const set = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    const name = target.value.trim();
    view.state.set(path, name === "" ? undefined : name === standardName ? true : name);
  };
  return labelled(
    view,
    path,
    html`<input
      class="in"
      id=${fieldId(path)}
      .value=${live(shown)}
      autocomplete="off"
      aria-invalid=${faultText(view, path) ? "true" : "false"}
      aria-describedby=${described(view, path)}
      @change=${set}
    />`,
  );
}
