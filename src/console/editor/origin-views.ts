import { html, nothing, type TemplateResult } from "lit";
import { originVerdictSchema, type OriginVerdict } from "../../protocol/console/origin-check.ts";
import { errorText } from "../parts/error-text.ts";
import { fieldError } from "../parts/field.ts";
import { editorIcon } from "./editor-icons.ts";
import { momentWithin } from "../format.ts";
import { texts } from "../texts/texts.ts";
import { wordsOf } from "./field-views.ts";
import { faultText, fieldId, setTexts, textsAt, type EditorView } from "./editor-view.ts";

const path = "embed_config.allowed_origins";

/** What somebody types as an origin: an address of the site is enough. */
function originOf(text: string): string {
  const trimmed = text.trim();
  if (/:\*$/.test(trimmed)) return trimmed;
  const address = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  return URL.canParse(address) && trimmed !== "" ? new URL(address).origin : trimmed;
}

/** Adds a site to those that may show the avatar. */
export function allowOrigin(view: EditorView, text: string): void {
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
