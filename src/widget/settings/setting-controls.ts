import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../styles/icons.ts";

/** A row: icon, name, control. */
export function settingRow(icon: unknown, name: string, control: unknown): TemplateResult {
  return html`<div class="vv-item">${icon}<span class="k" aria-hidden="true">${name}</span>${control}</div>`;
}

/** A row with a switch. */
export function settingSwitch(
  icon: unknown,
  name: string,
  isOn: boolean,
  turn: (on: boolean) => void,
): TemplateResult {
  return settingRow(
    icon,
    name,
    html`<button
      type="button"
      class="vv-switch"
      role="switch"
      aria-label=${name}
      aria-checked=${isOn}
      @click=${() => turn(!isOn)}
    ></button>`,
  );
}

/** What a choice from a list is drawn from. */
interface SelectProps {
  readonly label: string;
  /** `lang`: the language of the label, where it is not that of the page. */
  readonly options: readonly { readonly value: string; readonly label: string; readonly lang?: string }[];
  readonly isChosen: (value: string) => boolean;
  readonly choose: (value: string) => void;
  /** The focus is here when the page opens. */
  readonly isMain?: boolean;
}

/** A choice from a list, as the browser shows it. */
export function settingSelect({ label, options, isChosen, choose, isMain }: SelectProps): TemplateResult {
  return html`<span class="vv-select">
    <select
      ?data-main=${isMain === true}
      aria-label=${label}
      @change=${({ currentTarget }: Event) => {
        if (currentTarget instanceof HTMLSelectElement) choose(currentTarget.value);
      }}
    >
      ${options.map(
        ({ value, label: name, lang }) =>
          html`<option value=${value} lang=${lang ?? nothing} .selected=${isChosen(value)}>${name}</option>`,
      )}
    </select>
    ${icon("minimise")}
  </span>`;
}

/** What a choice between a few options is drawn from. */
interface SegmentProps<Option extends string> {
  readonly label: string;
  readonly options: readonly Option[];
  readonly chosen: Option;
  readonly draw: (option: Option) => unknown;
  readonly choose: (option: Option) => void;
}

/** A choice between a few options side by side: a group of radio buttons, with one stop for the keyboard. */
export function segment<Option extends string>(props: SegmentProps<Option>): TemplateResult {
  const { label, options, chosen, draw, choose } = props;
  const move = (event: KeyboardEvent) => {
    const group = event.currentTarget;
    if (!(group instanceof HTMLElement)) return;
    const rtl = getComputedStyle(group).direction === "rtl";
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      ArrowRight: rtl ? -1 : 1,
      ArrowLeft: rtl ? 1 : -1,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (options.indexOf(chosen) + step + options.length) % options.length;
    group.querySelectorAll("button")[at]?.focus();
    choose(options[at] ?? chosen);
  };
  return html`<div class="vv-seg" role="radiogroup" aria-label=${label} @keydown=${move}>
    ${options.map(
      (option) =>
        html`<button
          type="button"
          role="radio"
          aria-checked=${option === chosen}
          tabindex=${option === chosen ? 0 : -1}
          @click=${() => choose(option)}
        >
          ${draw(option)}
        </button>`,
    )}
  </div>`;
}
