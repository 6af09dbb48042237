import { html, nothing, type TemplateResult } from "lit";
import { mostClosedGapMm, unclearFaults, type PhotoFault } from "../../photo-making/photo-faults.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import type { Verdict } from "./maker-frame.ts";

/** What is looked at in a photograph, with the faults that can be found there. */
const checks = [
  { check: "one", own: ["no_face", "several_faces"] },
  { check: "straight", own: ["tilted", "turned"] },
  { check: "whole", own: ["cut_off", "covered"] },
  { check: "light", own: ["dark", "bright"] },
  { check: "sharp", own: ["blurred", "too_small"] },
  { check: "mouth", own: ["mouth_open", "eyes_closed"] },
] as const satisfies readonly { check: string; own: readonly PhotoFault[] }[];
export type Check = (typeof checks)[number]["check"];

/** Faults of the file itself, and of what is in it: nothing else was looked at then. */
const ofFile: readonly PhotoFault[] = ["not_a_picture", "animated", "too_many_pixels"];
const ofFaces: readonly PhotoFault[] = ["no_face", "several_faces"];

/** The distance of the pupils below which more pixels would give a sharper face. */
const sharpPupilPx = 110;

/** A line of the list: what was looked at, and what was found. */
export interface CheckLine {
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
export function checkList(verdict: Exclude<Verdict, { type: "failed" }>): TemplateResult {
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
