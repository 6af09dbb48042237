import { html, nothing, type TemplateResult } from "lit";
import { type OriginVerdict, originVerdictSchema } from "../../protocol/console/origin-check.ts";
import { errorText } from "../parts/error-text.ts";
import { fieldError } from "../parts/field.ts";
import { editorIcon } from "./editor-icons.ts";
import { exactTime, momentWithin } from "../format.ts";
import { texts } from "../texts/texts.ts";
import { wordsOf } from "./fields/field-views.ts";
import { type EditorView, faultText, fieldId, setTexts, textsAt } from "./editor-view.ts";
import { packageLines, policyLines } from "../../protocol/page/embed-lines.ts";
import { readConfig } from "../../protocol/settings/read-config.ts";
import { copyButton } from "../parts/copy-button.ts";
import { icon } from "../parts/icons.ts";
import { originOf } from "./typed-origin.ts";
import { pictureOf } from "./look-views.ts";

const path = "embed_config.allowed_origins";

/** Adds a site to those that may show the avatar. */
function allowOrigin(view: EditorView, text: string): void {
  const origin = originOf(text);
  const all = textsAt(view, path);
  if (origin !== "" && !all.includes(origin)) setTexts(view, path, [...all, origin]);
}

const inputBefore = ({ currentTarget }: Event): HTMLInputElement | null =>
  currentTarget instanceof HTMLElement ? (currentTarget.parentElement?.querySelector("input") ?? null) : null;

/** Calls back at Enter in a field. */
const atEnter =
  (act: (event: Event) => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    act(event);
  };

/** The sites that may show the avatar. */
export function origins(view: EditorView): TemplateResult {
  const { limits } = texts.editor;
  const all = textsAt(view, path);
  const add = (event: Event): void => {
    const input = inputBefore(event);
    if (!input || input.value.trim() === "") return;
    allowOrigin(view, input.value);
    input.value = "";
    input.focus();
  };
  const seen = (origin: string): string => {
    const page = view.pages?.allowed.find((one) => one.origin === origin);
    return page ? limits.seen(momentWithin(page.last_seen_at)) : limits.notSeen;
  };
  return html`${
      all.length === 0
        ? html`<p class="help">${limits.none}</p>`
        : html`<ul class="rows">
            ${all.map(
              (origin) =>
                html`<li>
                  <span class="docic">${editorIcon("globe")}</span>
                  <div class="t"><b>${origin}</b><span>${seen(origin)}</span></div>
                  <button
                    class="icb"
                    type="button"
                    aria-label=${limits.remove(origin)}
                    @click=${() =>
                      setTexts(
                        view,
                        path,
                        all.filter((one) => one !== origin),
                      )}
                  >
                    ${editorIcon("trash")}
                  </button>
                </li>`,
            )}
          </ul>`
    }
    <div class="with">
      <input
        class="in"
        id=${fieldId(path)}
        placeholder="https://"
        aria-label=${wordsOf(path).label}
        autocomplete="off"
        inputmode="url"
        @keydown=${atEnter(add)}
      />
      <button class="btn" type="button" @click=${add}>${limits.add}</button>
    </div>
    ${fieldError(fieldId(path), faultText(view, path))}`;
}

/** The same beside the snippet, where an owner notices that the site has to be named. */
export function siteField(view: EditorView): TemplateResult {
  return html`<div class="f stack t">
    <label for=${fieldId(path)}>${wordsOf(path).label}</label>
    ${origins(view)}
  </div>`;
}

/** What the tester found, for one editor at a time. */
let verdict: { of: object; found: OriginVerdict | null; failure: string } | null = null;

async function check(view: EditorView, page: string): Promise<void> {
  if (page.trim() === "") return;
  const body = { page: page.trim(), allowed_origins: textsAt(view, path) };
  try {
    const found = await view.services.api.request("/api/console/origin-check/", {
      method: "POST",
      body,
      schema: originVerdictSchema,
    });
    verdict = { of: view.state, found, failure: "" };
  } catch (error) {
    verdict = { of: view.state, found: null, failure: errorText(error) };
  }
  view.update();
}

function verdictText({ allowed, reason, origin, detail }: OriginVerdict): string {
  const { limits } = texts.editor;
  if (allowed) return reason === "own" ? limits.yesOwn : limits.yes(origin ?? "");
  return limits.verdicts[reason] ?? detail;
}

function verdictNote(view: EditorView): TemplateResult | typeof nothing {
  if (verdict?.of !== view.state) return nothing;
  const { found, failure } = verdict;
  const isGood = found?.allowed === true;
  const origin = found && !found.allowed ? found.origin : null;
  const allow = (): void => {
    allowOrigin(view, origin ?? "");
    verdict = null;
    view.update();
  };
  return html`<div class="note ${isGood ? "good" : "bad"}" role="status">
    ${editorIcon(isGood ? "check" : "alert")}
    <div><b>${found ? verdictText(found) : failure}</b></div>
    ${origin ? html`<button class="btn sm" type="button" @click=${allow}>${texts.editor.limits.allow(origin)}</button>` : nothing}
  </div>`;
}

/** Tells whether pages of an address may show the avatar, by the form as it is. */
export function originTester(view: EditorView): TemplateResult {
  const { limits } = texts.editor;
  const test = (event: Event): void => {
    const input = inputBefore(event);
    if (input) void check(view, input.value);
  };
  return html`<div class="with">
      <input
        class="in"
        aria-label=${limits.address}
        placeholder="https://"
        autocomplete="off"
        inputmode="url"
        @keydown=${atEnter(test)}
      />
      <button class="btn" type="button" @click=${test}>${limits.check}</button>
    </div>
    ${verdictNote(view)}`;
}

const kinds = ["script", "iframe", "npm"] as const;
type Kind = (typeof kinds)[number];

/** The kind that is chosen, for one editor at a time. */
const shown: { kind: Kind } = { kind: "script" };

/** The server's address in the snippet. */
function relayOf({ resources }: EditorView): string {
  const url = resources.snippet.viewer_url;
  return url.slice(0, url.lastIndexOf("/viewer/"));
}

/** Whether an address leads nowhere on another machine. */
const isOwnMachine = (address: string): boolean =>
  URL.canParse(address) &&
  /^(?:(?:.+\.)?localhost|127\..*|\[::1\]|0\.0\.0\.0)$/.test(new URL(address).hostname);

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
  const hasOrigin = (readConfig(view.state.saved.embed_config).allowed_origins ?? []).length > 0;
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
  const isOwn = isOwnMachine(relayOf(view));
  return html`${
      isOwn
        ? html`<div class="note" role="status">
            ${icon("alert")}
            <div><b>${embed.ownMachine}</b><br />${embed.ownMachineText}</div>
          </div>`
        : nothing
    }
    <div class="seg" role="group" aria-label=${embed.kind}>
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
