import { html, nothing, type TemplateResult } from "lit";
import { mostClosedGapMm, type PhotoFault, unclearFaults } from "../../photo-making/photo-faults.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import type { MadeFace, MakerFrame, Verdict } from "./maker-frame.ts";
import { live } from "lit/directives/live.js";
import { type Framing, framings } from "../../photo-making/maker-requests.ts";

/** What is looked at in a photograph, with the faults that can be found there. */
const checks = [
  { check: "one", own: ["no_face", "several_faces"] },
  { check: "straight", own: ["tilted", "turned"] },
  { check: "whole", own: ["cut_off", "covered"] },
  { check: "light", own: ["dark", "bright"] },
  { check: "sharp", own: ["blurred", "too_small"] },
  { check: "mouth", own: ["mouth_open", "eyes_closed"] },
] as const satisfies readonly { check: string; own: readonly PhotoFault[] }[];
type Check = (typeof checks)[number]["check"];

/** Faults of the file itself, and of what is in it: nothing else was looked at then. */
const ofFile: readonly PhotoFault[] = ["not_a_picture", "animated", "too_many_pixels"];
const ofFaces: readonly PhotoFault[] = ["no_face", "several_faces"];

/** The distance of the pupils below which more pixels would give a sharper face. */
const sharpPupilPx = 110;

/** A line of the list: what was looked at, and what was found. */
interface CheckLine {
  readonly check: Check;
  readonly state: "good" | "bad" | "unknown" | "hint";
  readonly faults: readonly PhotoFault[];
}

/** What works, but could be better. */
function hintOf(check: Check, verdict: Exclude<Verdict, { type: "failed" }>): "small" | "smile" | null {
  if (verdict.type === "refused") return null;
  const { pupilPx = Infinity, mouthGapMm = 0 } = verdict.measures;
  if (check === "sharp" && pupilPx < sharpPupilPx) return "small";
  return check === "mouth" && mouthGapMm > mostClosedGapMm ? "smile" : null;
}

/** What the list says about a verdict; empty where the file is no photograph. */
export function checkLines(verdict: Exclude<Verdict, { type: "failed" }>): CheckLine[] {
  const faults = verdict.type === "refused" ? verdict.faults : [];
  if (faults.some((fault) => ofFile.includes(fault))) return [];
  const isFaceUnknown = faults.some((fault) => ofFaces.includes(fault));
  return checks.map(({ check, own }): CheckLine => {
    const found = own.filter((fault) => faults.includes(fault));
    if (found.length > 0) return { check, state: "bad", faults: found };
    const isCoverUnknown = check === "whole" && faults.some((fault) => unclearFaults.has(fault));
    if (isFaceUnknown || isCoverUnknown) return { check, state: "unknown", faults: [] };
    return { check, state: hintOf(check, verdict) ? "hint" : "good", faults: [] };
  });
}

const icons = { good: "check", bad: "alert", unknown: "minus", hint: "alert" } as const;

/** What was found in a photograph, with advice for each fault. */
function checkList(verdict: Exclude<Verdict, { type: "failed" }>): TemplateResult {
  const { advice, checks: names, states, hints } = texts.photo;
  const lines = checkLines(verdict);
  if (lines.length === 0 && verdict.type === "refused")
    return html`${verdict.faults.map((fault) => html`<p class="err">${icon("alert", 18)}<span>${advice[fault]}</span></p>`)}`;
  return html`<ul class="checks">
    ${lines.map(({ check, state, faults }) => {
      const hint = hintOf(check, verdict);
      return html`<li class=${state}>
        ${icon(icons[state], 18)}
        <div>
          <span>${names[check]}<span class="sr">: ${states[state]}</span></span>
          ${faults.map((fault) => html`<p>${advice[fault]}</p>`)}
          ${hint ? html`<p>${hints[hint]}</p>` : nothing}
        </div>
      </li>`;
    })}
  </ul>`;
}

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
