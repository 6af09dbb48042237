import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../styles/icons.ts";
import { isSameLanguage, languageTags } from "../../languages/choose-language.ts";
import type { AudioDevice, AudioDevices } from "../../client/index.ts";
import { lateIcon } from "../styles/late-icons.ts";
import type { Translate } from "../texts/texts.ts";
import { captionSizes, type VisitorSettings, voiceRates } from "./kept-settings.ts";

/** A row: icon, name, control. */
function settingRow(icon: unknown, name: string, control: unknown): TemplateResult {
  return html`<div class="vv-item">${icon}<span class="k" aria-hidden="true">${name}</span>${control}</div>`;
}

/** A row with a switch. */
function settingSwitch(
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
function settingSelect({ label, options, isChosen, choose, isMain }: SelectProps): TemplateResult {
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
function segment<Option extends string>(props: SegmentProps<Option>): TemplateResult {
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

/** What the settings are drawn from. */
interface SettingsProps {
  readonly t: Translate;
  readonly settings: VisitorSettings;
  readonly choose: (settings: VisitorSettings) => void;
  readonly close: () => void;
  readonly end: () => void;
  /** The present language of the conversation. */
  readonly locale: string;
  /** Those that the owner allows; empty for all. */
  readonly languages: readonly string[];
  readonly captionsOn: boolean;
  /** The page lets the avatar be shown. */
  readonly canShowAvatar: boolean;
  readonly systemReducesMotion: boolean;
  readonly privacyUrl: string | null;
  /** How long what is said is kept; null where it is not. */
  readonly kept: string | null;
  /** The devices for sound; null where visitors cannot speak. */
  readonly devices: AudioDevices | null;
}

/** What the visitor can set during a conversation. The picture makes room for it. */
export function settingsPage(props: SettingsProps): TemplateResult {
  const { t, settings, choose } = props;
  return html`<div class="vv-more vv-set" part="page">
    <header>
      <h2 dir="auto">${t("settings")}</h2>
      <button type="button" class="vv-x" aria-label=${t("close")} @click=${props.close}>
        ${icon("close")}
      </button>
    </header>
    ${languageRow(props)} ${props.canShowAvatar ? avatarRows(props) : nothing}
    ${deviceRow(props, "microphone", props.devices?.microphones)}
    ${deviceRow(props, "speaker", props.devices?.speakers)}
    ${
      props.systemReducesMotion
        ? nothing
        : settingSwitch(lateIcon("motion"), t("reduce_motion"), settings.reduceMotion === true, (on) =>
            choose({ reduceMotion: on }),
          )
    }
    ${privacyRows(props)}
    <button type="button" class="vv-item danger" @click=${props.end}>${icon("end")}${t("end")}</button>
  </div>`;
}

/** The owner's privacy page, and how long what is said is kept. */
function privacyRows({ t, privacyUrl, kept }: SettingsProps): TemplateResult {
  return html`${
    kept
      ? html`<div class="vv-item">${lateIcon("shield")}<span class="k kept" dir="auto">${kept}</span></div>`
      : nothing
  }
  ${
    privacyUrl
      ? html`<a class="vv-item" href=${privacyUrl} target="_blank" rel="noopener">
          ${kept ? nothing : lateIcon("shield")}<span class="k">${t("privacy")}</span>${lateIcon("external")}
        </a>`
      : nothing
  }`;
}

/** The language, by each language's own name. */
function languageRow({ t, locale, languages, choose }: SettingsProps): TemplateResult | typeof nothing {
  const tags = languages.length > 0 ? languages : languageTags;
  if (tags.length < 2) return nothing;
  const select = settingSelect({
    label: t("language"),
    options: tags.map((tag) => ({ value: tag, label: ownName(tag), lang: tag })),
    isChosen: (tag) => isSameLanguage(tag, locale),
    choose: (language) => choose({ language }),
    isMain: true,
  });
  return settingRow(lateIcon("globe"), t("language"), select);
}

function ownName(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** A device for sound. Nothing where there is none to choose. */
function deviceRow(
  { t, settings, choose }: SettingsProps,
  kind: "microphone" | "speaker",
  devices: readonly AudioDevice[] = [],
): TemplateResult | typeof nothing {
  if (devices.length === 0) return nothing;
  const chosen = devices.some(({ id }) => id === settings[kind]) ? settings[kind] : "";
  const select = settingSelect({
    label: t(kind),
    options: [
      { value: "", label: t("device_default") },
      ...devices.map(({ id, label }) => ({ value: id, label })),
    ],
    isChosen: (id) => id === chosen,
    choose: (id) => choose({ [kind]: id }),
  });
  return settingRow(icon(kind === "microphone" ? "mic" : "volume"), t(kind), select);
}

/** How fast the voice speaks, times the owner's rate. */
function voiceRateRow({ t, settings, locale, choose }: SettingsProps): TemplateResult {
  const number = new Intl.NumberFormat(locale);
  const select = settingSelect({
    label: t("voice_rate"),
    options: voiceRates.map((rate) => ({ value: String(rate), label: `${number.format(rate)}×` })),
    isChosen: (rate) => rate === String(settings.voiceRate ?? 1),
    choose: (value) => {
      const voiceRate = voiceRates.find((rate) => String(rate) === value);
      if (voiceRate) choose({ voiceRate });
    },
  });
  return settingRow(nothing, t("voice_rate"), select);
}

/** What is seen and heard of the avatar. */
function avatarRows(props: SettingsProps): TemplateResult {
  const { t, settings, captionsOn, choose } = props;
  const { textOnly = false, silent = false, captionSize = "medium" } = settings;
  const shown = segment({
    label: t("show"),
    options: ["avatar", "text"],
    chosen: textOnly ? "text" : "avatar",
    draw: (option) => t(`show_${option}`),
    choose: (option) => choose({ textOnly: option === "text" }),
  });
  const size = segment({
    label: t("caption_size"),
    options: captionSizes,
    chosen: captionSize,
    draw: (option) =>
      html`<span class="size-${option}" aria-hidden="true">A</span
        ><span class="vv-sr">${t(`size_${option}`)}</span>`,
    choose: (option) => choose({ captionSize: option }),
  });
  return html`${settingRow(lateIcon("person"), t("show"), shown)}
  ${
    textOnly
      ? nothing
      : html`${settingSwitch(icon("volume"), t("sound"), !silent, (on) => choose({ silent: !on }))}
        ${silent ? nothing : voiceRateRow(props)}
        ${settingSwitch(icon("captions"), t("captions"), captionsOn, (on) => choose({ captions: on }))}
        ${captionsOn ? settingRow(nothing, t("caption_size"), size) : nothing}`
  }`;
}
