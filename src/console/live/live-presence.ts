import { html, nothing, type TemplateResult } from "lit";
import { live as asShown } from "lit/directives/live.js";
import type { Presence } from "../../protocol/console/live.ts";
import { modal } from "../parts/dialog.ts";
import { live } from "./live-texts.ts";
import { type Alert, canNotify, hasAlert } from "./live-alerts.ts";

const hours = [1, 2, 4, 8] as const;

const timeOf = (at: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" }).format(
    new Date(at),
  );

/** Whether you are there, in the head of the page. */
export function presenceButton(
  me: Presence | null,
  mayAnswer: boolean,
  open: () => void,
): TemplateResult | typeof nothing {
  if (!me || !mayAnswer) return nothing;
  return html`<button class="here" aria-haspopup="dialog" @click=${open}>
    <span
      >${me.until === null ? live.notHere : html`${live.here} <span class="q2">${live.until(timeOf(me.until))}</span>`}</span
    >
    <i class=${me.until === null ? "dotl" : "dotl on"} aria-hidden="true"></i>
  </button>`;
}

/** What the form about your presence does. */
interface PresenceActions {
  readonly close: () => void;
  readonly set: (minutes: number, name: string) => void;
  readonly alert: (alert: Alert, isWanted: boolean) => void;
}

/** How you hear of visitors who need you. What is chosen counts at once, in this browser. */
function alertFields(choose: PresenceActions["alert"]): TemplateResult {
  const alerts: readonly Alert[] = canNotify() ? ["sound", "notice"] : ["sound"];
  return html`<fieldset class="lv-alerts">
    <legend class="lab">${live.alertsFor}</legend>
    ${alerts.map(
      (alert) =>
        html`<label class="row">
          <input
            type="checkbox"
            class="check"
            .checked=${asShown(hasAlert(alert))}
            @change=${({ target }: Event) => choose(alert, target instanceof HTMLInputElement && target.checked)}
          />${live.alerts[alert]}
        </label>`,
    )}
  </fieldset>`;
}

/** Asks for how long you are there, how visitors read your name, and how you hear of them. */
export function presenceForm(me: Presence, actions: PresenceActions): TemplateResult {
  const { close, set } = actions;
  const nameIn = (form: HTMLFormElement | null): string =>
    form?.querySelector<HTMLInputElement>("#shown-as")?.value.trim() || me.name;
  const content = html`<form
    class="lv-presence"
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      const form = event.target instanceof HTMLFormElement ? event.target : null;
      const chosen = form?.querySelector<HTMLSelectElement>("#here-for")?.value ?? "1";
      set(Number(chosen) * 60, nameIn(form));
    }}
  >
    <div class="f">
      <label for="here-for">${live.hereFor}</label>
      <select class="in" id="here-for">
        ${hours.map((count) => html`<option value=${count} ?selected=${count === 8}>${live.hours(count)}</option>`)}
      </select>
    </div>
    <div class="f">
      <label for="shown-as">${live.shownAs}</label>
      <input class="in" id="shown-as" maxlength="60" .value=${me.name} aria-describedby="shown-as-help" />
      <p class="help" id="shown-as-help">${live.shownAsHelp}</p>
    </div>
    ${alertFields(actions.alert)}
    <div class="acts">
      ${
        me.until === null
          ? html`<button type="button" class="btn" @click=${close}>${live.cancel}</button>`
          : html`<button
              type="button"
              class="btn"
              @click=${(event: Event) => set(0, nameIn(event.target instanceof HTMLButtonElement ? event.target.form : null))}
            >
              ${live.beAway}
            </button>`
      }
      <button class="btn pri">${live.beHere}</button>
    </div>
  </form>`;
  return modal({ title: me.until === null ? live.notHere : live.here, content, onClose: close });
}
