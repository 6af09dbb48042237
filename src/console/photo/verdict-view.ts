import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { framings, type Framing } from "../../photo-making/maker-requests.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { checkList } from "./checks.ts";
import type { MadeFace, MakerFrame, Verdict } from "./maker-frame.ts";

interface VerdictView {
  /** Of the file. */
  name: string;
  step: MakerFrame["step"];
  verdict: Verdict | null;
  keepsBackground: boolean;
  framing: Framing;
  /** Whether somebody says that there are glasses; undefined: nobody says anything. */
  glasses: boolean | undefined;
  onKeep: (keeps: boolean) => void;
  onFraming: (framing: Framing) => void;
  onGlasses: (glasses: boolean) => void;
  onAgain: () => void;
}

function found(verdict: Verdict, onAgain: () => void): TemplateResult {
  const { results } = texts.photo;
  if (verdict.type === "failed")
    return html`<div class="note bad" role="alert">
      ${icon("alert")}
      <div>
        <b>${results.failed}</b>
        <p>${results.failedText}</p>
      </div>
      <button class="btn sm" type="button" @click=${onAgain}>${texts.states.tryAgain}</button>
    </div>`;
  const isGood = verdict.type === "made";
  return html`<p class="result" role=${isGood ? "status" : "alert"}>
      ${isGood ? results.good : results.refused}
    </p>
    ${checkList(verdict)}`;
}

/** How the character is made: with the background or without, and how much of the photograph. */
function ways(
  { keepsBackground, framing, glasses, step, onKeep, onFraming, onGlasses }: VerdictView,
  { hasGlasses }: MadeFace,
): TemplateResult {
  const { ways: words } = texts.photo;
  const isBusy = step !== null;
  return html`<div class="stack t ways">
    <div class="f">
      <span class="lab" id="photo-framing">${words.framing}</span>
      <div class="seg" role="group" aria-labelledby="photo-framing">
        ${framings.map(
          (kind) =>
            html`<button
              type="button"
              aria-pressed=${kind === framing ? "true" : "false"}
              ?disabled=${isBusy}
              @click=${() => onFraming(kind)}
            >
              ${words.framings[kind]}
            </button>`,
        )}
      </div>
    </div>
    <label class="row statement">
      <input
        type="checkbox"
        .checked=${live(keepsBackground)}
        ?disabled=${isBusy}
        @change=${() => onKeep(!keepsBackground)}
      />
      <span>${words.keep}</span>
    </label>
    <label class="row statement">
      <input
        type="checkbox"
        .checked=${live(isBusy ? (glasses ?? hasGlasses) : hasGlasses)}
        ?disabled=${isBusy}
        @change=${() => onGlasses(!hasGlasses)}
      />
      <span>${words.glasses}</span>
    </label>
    ${glasses && !hasGlasses && !isBusy ? html`<p class="s q2" role="status">${words.noGlasses}</p>` : nothing}
  </div>`;
}

/** What is being done with a photograph, and what was found in it. */
export function verdictView(view: VerdictView): TemplateResult {
  const { name, step, verdict, onAgain } = view;
  return html`<div class="stack t">
    <b class="file">${name}</b>
    ${
      step === null
        ? nothing
        : html`<p class="working" role="status">
            <span class="bar" aria-hidden="true"><i class="at-${step}"></i></span>${texts.photo.steps[step]}
          </p>`
    }
    ${verdict && (step === null || verdict.type === "made") ? found(verdict, onAgain) : nothing}
    ${verdict?.type === "made" ? ways(view, verdict) : nothing}
  </div>`;
}
