import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { backgroundImageSchema } from "../../protocol/catalogue.ts";
import { placementSchema } from "../../protocol/settings/ui-config.ts";
import { errorText } from "../parts/error-text.ts";
import { fieldError } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import { linkTo } from "../router.ts";
import { texts } from "../texts/texts.ts";
import { editorIcon } from "./editor-icons.ts";
import { beside, typedLine, wordsOf } from "./fields/field-views.ts";
import { type EditorView, faultText, fieldId, textAt } from "./editor-view.ts";
import { percent, shareOf } from "./preview/framing.ts";

/** A colour in sRGB, each part 0 to 1. */
type Rgb = readonly [red: number, green: number, blue: number];

/** A colour in OKLCH: lightness 0 to 1, chroma, hue in radians. */
interface Oklch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

/** The surfaces that the widget's accent stands on (`widget/styles/tokens.css`). */
const surfaces = { light: "#fdfcfa", dark: "#1d1b19" } as const;

/** The colour of `#rgb` or `#rrggbb`; null for any other text. */
export function colorOf(text: string): Rgb | null {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(text)?.slice(1);
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text)?.slice(1);
  const parts = short?.map((digit) => digit + digit) ?? long;
  if (!parts) return null;
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part, 16) / 255);
  return [red, green, blue];
}

const toLinear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const fromLinear = (part: number): number =>
  part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;

const linearOf = ([red, green, blue]: Rgb): Rgb => [toLinear(red), toLinear(green), toLinear(blue)];

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(color: Rgb): number {
  const [red, green, blue] = linearOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

// The matrices are those of CSS Color 4, section 10.2.
function toOklch(color: Rgb): Oklch {
  const [r, g, b] = linearOf(color);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b2 = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, b2),
    h: Math.atan2(b2, a),
  };
}

function toRgb({ l: lightness, c, h }: Oklch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const [red = 0, green = 0, blue = 0] = linear.map((part) => fromLinear(Math.min(Math.max(part, 0), 1)));
  return [red, green, blue];
}

/** An owner's colour as the widget shows it, so that words on it stay readable (`--visavis-accent` in `widget/styles/tokens.css`). */
function accentOf(brand: Rgb, theme: keyof typeof surfaces): Rgb {
  const { l, c, h } = toOklch(brand);
  return theme === "light"
    ? toRgb({ l: Math.min(Math.max(l, 0.2), 0.46), c: Math.min(c, 0.17), h })
    : toRgb({ l: 0.77, c: Math.min(c, 0.13), h });
}

/** How readable an owner's colour is. */
interface Readability {
  /** The contrast of words in the colour that the widget makes of it. */
  readonly light: number;
  readonly dark: number;
  /** The colour itself is too light for words, so the widget makes it darker. */
  readonly isShaded: boolean;
}

/** How readable a colour is in the widget; null if the text is no colour. */
export function readability(text: string): Readability | null {
  const brand = colorOf(text);
  if (!brand) return null;
  const on = (theme: keyof typeof surfaces): number =>
    contrast(accentOf(brand, theme), colorOf(surfaces[theme]) ?? [0, 0, 0]);
  return { light: on("light"), dark: on("dark"), isShaded: toOklch(brand).l > 0.48 };
}

const stage = (key: string): string => `embed_config.stage.${key}`;
const brandPath = "embed_config.ui.brand_color";
const transparentPath = stage("transparent");

/** Colours to begin with, by the design. */
const swatches = ["#0d6660", "#2f4fd0", "#b4235a", "#f2b300", "#1e1b18"];

type Style = EditorView["resources"]["model_styles"][number];

/** The address of a face's picture; null where it has none. */
export const pictureOf = ({ files }: Style, name: "poster" | "porthole"): string | null =>
  files.find((file) => file.name === name)?.file ?? null;

/** What a face is called. */
export const titleOf = ({ name, configs }: Style): string =>
  configs.find(({ key }) => key === "title")?.value ?? name;

/** Whether a face is in the place of a photograph that was removed. Only avatars that had it show it. */
const isStandIn = ({ configs }: Style): boolean =>
  configs.some(({ key, value }) => key === "kind" && value === "removed-photograph");

/** The choice of the face. */
export function faces(view: EditorView): TemplateResult {
  const { state, resources, mayEdit } = view;
  const chosen = textAt(view, "model_style");
  const styles = resources.model_styles.filter((style) => style.name === chosen || !isStandIn(style));
  return html`<div class="faces">
      <div role="radiogroup" aria-label=${wordsOf("model_style").label}>
        ${styles.map((style) => {
          const poster = pictureOf(style, "poster");
          return html`<label>
            <input
              type="radio"
              name="model_style"
              .checked=${live(chosen === style.name)}
              @change=${() => state.set("model_style", style.name)}
            />
            <span class="im">${poster ? html`<img src=${poster} alt="" />` : icon("person")}</span>
            <span>${titleOf(style)}</span>
          </label>`;
        })}
      </div>
      ${
        mayEdit
          ? html`<a href=${linkTo("/avatars/photo", { for: state.saved.id })}>
              <span class="im">${editorIcon("camera")}</span><span>${texts.editor.look.photo}</span>
            </a>`
          : nothing
      }
    </div>
    ${fieldError(fieldId("model_style"), faultText(view, "model_style"))}`;
}

function setBackground({ state }: EditorView, id: string | null, isTransparent: boolean): void {
  state.set("background_image", id);
  state.set(transparentPath, isTransparent || undefined);
}

async function upload(view: EditorView, input: HTMLInputElement): Promise<void> {
  const file = input.files?.[0];
  if (!file) return;
  const form = new FormData();
  form.append("title", file.name);
  form.append("image", file);
  input.value = "";
  try {
    const { backgroundimage_id: id } = await view.services.api.request("/api/v1/background_image/", {
      method: "POST",
      form,
      schema: backgroundImageSchema,
    });
    await view.reload();
    setBackground(view, id, false);
  } catch (error) {
    view.services.toasts.show(errorText(error));
  }
}

/** The choice of the background: a picture, the page itself, or an own picture. */
export function backgrounds(view: EditorView): TemplateResult {
  const { look } = texts.editor;
  const isTransparent = view.state.value(transparentPath) === true;
  const chosen = view.state.value("background_image");
  const entry = (
    label: string,
    isChosen: boolean,
    sample: TemplateResult,
    choose: () => void,
  ): TemplateResult =>
    html`<label>
      <input type="radio" name="background" .checked=${live(isChosen)} @change=${choose} />
      ${sample}<span>${label}</span>
    </label>`;
  return html`<div class="bgs" role="radiogroup" aria-label=${wordsOf("background_image").label}>
      ${view.resources.background_images.map(({ backgroundimage_id: id, title, image }) =>
        entry(
          title,
          !isTransparent && chosen === id,
          html`<i><img src=${image} alt="" loading="lazy" /></i>`,
          () => setBackground(view, id, false),
        ),
      )}
      ${entry(look.none, !isTransparent && !chosen, html`<i></i>`, () => setBackground(view, null, false))}
      ${entry(look.yourPage, isTransparent, html`<i class="chk"></i>`, () => setBackground(view, null, true))}
      <label class="own">
        <input
          type="file"
          accept="image/png,image/jpeg,image/webp"
          @change=${(event: Event) => {
            if (event.target instanceof HTMLInputElement) void upload(view, event.target);
          }}
        />
        <i>${icon("plus")}</i><span>${look.upload}</span>
      </label>
    </div>
    ${fieldError(fieldId("background_image"), faultText(view, "background_image"))}`;
}

/** The place of the avatar in numbers. */
export function framing(view: EditorView): TemplateResult {
  const { state } = view;
  const reset = (): void => {
    for (const key of ["padding_left", "padding_top", "padding_height"]) state.set(stage(key), undefined);
  };
  const share = (path: string): TemplateResult => {
    const value = state.value(path);
    const shown = typeof value === "number" ? `${percent(value)} %` : typeof value === "string" ? value : "";
    return html`<div class="f">
      <label for=${fieldId(path)}>${wordsOf(path).label}</label>
      ${typedLine(view, path, {
        shown,
        read: (text) => (text.trim() === "" ? undefined : (shareOf(text) ?? text)),
        inputMode: "numeric",
      })}
      ${fieldError(fieldId(path), faultText(view, path))}
    </div>`;
  };
  return html`<div class="tri">
      ${["padding_left", "padding_top", "padding_height"].map((key) => share(stage(key)))}
    </div>
    <button class="lk s reset" type="button" @click=${reset}>${texts.editor.look.reset}</button>`;
}

const ratio = (value: number): string => value.toFixed(1);

function contrastNote(color: string): TemplateResult | typeof nothing {
  const { look } = texts.editor;
  const found = readability(color || (swatches[0] ?? ""));
  if (!found) return nothing;
  return html`<p class="note good contrast" role="status">
    ${icon("check")}<span class="num"
      >${look.readable(ratio(found.light), ratio(found.dark))}${found.isShaded ? ` ${look.shaded}` : ""}</span
    >
  </p>`;
}

/** The owner's colour, with how readable it is. */
export function colour(view: EditorView): TemplateResult {
  const { look } = texts.editor;
  const color = textAt(view, brandPath);
  const set = (value: string): void => view.state.set(brandPath, value.trim() || undefined);
  const swatch = (value: string, label: string): TemplateResult =>
    html`<label>
      <input
        type="radio"
        name="brand"
        aria-label=${label}
        .checked=${live(color.toLowerCase() === value || (color === "" && value === swatches[0]))}
        @change=${() => set(value === swatches[0] ? "" : value)}
      />
      <i
        ><svg viewBox="0 0 2 2" aria-hidden="true"><circle cx="1" cy="1" r="1" fill=${value} /></svg
      ></i>
    </label>`;
  return html`<div class="row w colours">
      <div class="sws" role="radiogroup" aria-label=${wordsOf(brandPath).label}>
        ${swatches.map((value, index) => swatch(value, index === 0 ? look.standard : value))}
      </div>
      <input
        class="in num hex"
        id=${fieldId(brandPath)}
        aria-label=${look.own}
        placeholder=${swatches[0] ?? ""}
        .value=${live(color)}
        aria-invalid=${faultText(view, brandPath) ? "true" : "false"}
        @input=${({ target }: Event) => {
          if (target instanceof HTMLInputElement) set(target.value);
        }}
      />
    </div>
    ${fieldError(fieldId(brandPath), faultText(view, brandPath))} ${contrastNote(color)}`;
}

/** The corner of the page. */
export function placement(view: EditorView): TemplateResult {
  const path = "embed_config.ui.placement";
  const chosen = textAt(view, path) || "bottom-right";
  const picker = html`<div class="place" role="radiogroup" aria-label=${wordsOf(path).label}>
    ${placementSchema.options.map(
      (value) =>
        html`<label class=${value}>
          <input
            type="radio"
            name="placement"
            aria-label=${texts.editor.look.placements[value] ?? value}
            .checked=${live(chosen === value)}
            @change=${() => view.state.set(path, value)}
          /><i></i>
        </label>`,
    )}
  </div>`;
  return beside(view, path, picker);
}
