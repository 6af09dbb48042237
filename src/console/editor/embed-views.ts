import { html, nothing, type TemplateResult } from "lit";
import { packageLines, policyLines } from "../../protocol/embed-lines.ts";
import { exactTime } from "../format.ts";
import { copyButton } from "../parts/copy-button.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { textsAt, type EditorView } from "./editor-view.ts";
import { pictureOf } from "./look-views.ts";
import { allowOrigin } from "./origin-views.ts";

const kinds = ["script", "iframe", "npm"] as const;
type Kind = (typeof kinds)[number];

/** The kind that is chosen, for one editor at a time. */
const shown: { kind: Kind } = { kind: "script" };

/** The server's address in the snippet. */
function relayOf({ resources }: EditorView): string {
  const url = resources.snippet.viewer_url;
  return url.slice(0, url.lastIndexOf("/viewer/"));
}

function snippetOf(view: EditorView, kind: Kind): string {
  const { snippet } = view.resources;
  if (kind === "npm") return packageLines(relayOf(view), view.state.saved.context_id);
  return kind === "script" ? snippet.script : snippet.iframe;
}

/** Whether a page shows the avatar yet. */
export function arrival(view: EditorView): TemplateResult {
  const { embed } = texts.editor;
  const arrived = view.pages?.arrived ?? null;
  const style = view.resources.model_styles.find(({ name }) => name === view.state.saved.model_style);
  const face = style ? pictureOf(style, "porthole") : null;
  const hasOrigin = (view.state.saved.embed_config.allowed_origins ?? []).length > 0;
  if (arrived)
    return html`<div class="live ok" role="status">
      <span class="port">
        ${face ? html`<img src=${face} alt="" />` : nothing}
        <svg viewBox="0 0 100 100" aria-hidden="true"><circle cx="50" cy="50" r="47.5" /></svg>
      </span>
      <div>
        <h3>${embed.arrived(view.name)}</h3>
        <p class="num">${embed.arrivedText(exactTime(arrived.at), arrived.origin)}</p>
      </div>
    </div>`;
  return html`<div class="live" role="status">
    <span class="glyph">
      <svg viewBox="0 0 56 56" aria-hidden="true"><circle cx="28" cy="28" r="25" /></svg>
    </span>
    <div>
      <h3>${embed.waiting}</h3>
      <p>${hasOrigin ? embed.waitingText : embed.needsOrigin}</p>
    </div>
  </div>`;
}

/** Sites that tried to show the avatar and may not. */
export function refusedPages(view: EditorView): TemplateResult[] {
  const { embed } = texts.editor;
  const listed = textsAt(view, "embed_config.allowed_origins");
  const refused = (view.pages?.refused ?? []).filter(({ origin }) => !listed.includes(origin));
  return refused.slice(0, 3).map(
    ({ origin }) =>
      html`<div class="note bad" role="status">
        ${icon("alert")}
        <div><b>${embed.refused(origin, view.name)}</b></div>
        <button class="btn sm" type="button" @click=${() => allowOrigin(view, origin)}>${embed.allow}</button>
      </div>`,
  );
}

/** The browser does not allow copying: the text stands above the button. */
const refused =
  ({ services }: EditorView) =>
  (): void =>
    services.toasts.show(texts.editor.embed.copyFailed);

/** What the owner pastes, in three kinds. */
export function snippet(view: EditorView): TemplateResult {
  const { embed } = texts.editor;
  const help = { script: embed.scriptHelp, iframe: embed.iframeHelp, npm: embed.npmHelp };
  const text = snippetOf(view, shown.kind);
  const mail = `mailto:?subject=${encodeURIComponent(embed.mailSubject(view.name))}&body=${encodeURIComponent(text)}`;
  const choose = (kind: Kind): void => {
    shown.kind = kind;
    view.update();
  };
  return html`<div class="seg" role="group" aria-label=${embed.kind}>
      ${kinds.map(
        (kind) =>
          html`<button
            type="button"
            aria-pressed=${shown.kind === kind ? "true" : "false"}
            @click=${() => choose(kind)}
          >
            ${embed[kind]}
          </button>`,
      )}
    </div>
    <p class="help">${help[shown.kind]}</p>
    <div class="codebox">
      <pre tabindex="0"><code>${text}</code></pre>
    </div>
    <div class="row w">
      ${copyButton(text, { onRefused: refused(view) })}<a class="btn" href=${mail}>${embed.mail}</a>
    </div>`;
}

/** Where the snippet goes in the usual kinds of sites. */
export function pastePlaces(): TemplateResult {
  return html`<ul class="rows places">
    ${texts.editor.embed.where.map(
      ([place, steps]) =>
        html`<li>
          <details>
            <summary>${place}${icon("next")}</summary>
            <p class="help">${steps}</p>
          </details>
        </li>`,
    )}
  </ul>`;
}

/** What a strict site has to allow. */
export function policy(view: EditorView): TemplateResult {
  const { embed } = texts.editor;
  const text = policyLines(relayOf(view));
  return html`<div class="codebox">
      <pre tabindex="0"><code>${text}</code></pre>
    </div>
    <div>${copyButton(text, { label: embed.copyLines, isSmall: true, onRefused: refused(view) })}</div>`;
}
