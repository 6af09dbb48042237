import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type {
  AttachmentFault,
  ChosenFile,
  TranscriptAttachment,
  VisitorAttachments,
} from "../../client/index.ts";
import {
  attachmentMaxBytes,
  attachmentsPerQuestion,
  attachmentTypes,
  type AttachmentKind,
} from "../../protocol/answers/attachment.ts";
import { lateIcon } from "../styles/late-icons.ts";
import { icon } from "../styles/icons.ts";
import type { Translate } from "../texts/texts.ts";

/** What files are drawn from. */
export interface FileProps {
  readonly t: Translate;
  /** Language of the widget's own texts. */
  readonly lang: string;
  /** The address of a picture; null if there is none. */
  readonly preview: (id: string, type: string) => string | null;
}

interface ChosenProps extends FileProps {
  readonly files: VisitorAttachments;
  readonly kinds: readonly AttachmentKind[];
  /** A file is held over the transcript. */
  readonly isOver: boolean;
}

/** The button that opens the browser's file dialog. */
export function attachButton(
  { t }: FileProps,
  types: readonly string[],
  add: (files: FileList) => void,
): TemplateResult {
  const handleClick = ({ currentTarget: button }: Event): void => {
    const field = button instanceof HTMLElement ? button.nextElementSibling : null;
    if (field instanceof HTMLInputElement) field.click();
  };
  const handleChange = ({ currentTarget: field }: Event): void => {
    if (!(field instanceof HTMLInputElement)) return;
    if (field.files) add(field.files);
    // The same file can be chosen again after it was removed.
    field.value = "";
  };
  return html`<button
      type="button"
      class="vv-attach"
      aria-label=${t("attach")}
      data-tip=${t("attach")}
      @click=${handleClick}
    >
      ${lateIcon("attach")}
    </button>
    <input type="file" multiple hidden accept=${types.join(",")} @change=${handleChange} />`;
}

/** The files for the next question. */
export function chosenFiles(props: ChosenProps): TemplateResult {
  const { t, files, kinds, isOver } = props;
  const { chosen, refused } = files;
  const faults = new Set(refused.map(({ name, fault }) => faultText(props, name, fault, kinds)));
  const latest = chosen.at(-1);
  return html`${isOver ? html`<p class="vv-drop">${t("attach_drop")}</p>` : nothing}
    ${
      chosen.length === 0
        ? nothing
        : html`<ul class="vv-files" aria-label=${t("attach_list")}>
            ${repeat(
              chosen,
              ({ id }) => id,
              (file) => chosenRow(props, file),
            )}
          </ul>`
    }
    <p class="vv-sr" role="status">${latest ? statusText(props, latest) : nothing}</p>
    <div class="vv-files-faults" role="alert">
      ${[...faults].map((text) => html`<p dir="auto">${text}</p>`)}
    </div>`;
}

function chosenRow(props: ChosenProps, chosen: ChosenFile): TemplateResult {
  const { t, files, lang } = props;
  const { id, file, type, status, progress } = chosen;
  const { name } = file;
  const words = status === "kept" ? statusText(props, chosen) : bytesText(file.size, lang);
  const remove = t("attach_remove", { name });
  const again = t("attach_retry", { name });
  return html`<li class=${`vv-file ${status}`}>
    ${look(props, id, type)}
    ${status === "failed" ? faultCaption(statusText(props, chosen)) : caption(name, words)}
    ${
      status === "uploading"
        ? html`<progress max="1" .value=${progress} aria-label=${t("attach_uploading", { name })}></progress>`
        : nothing
    }
    ${
      status === "failed" && chosen.fault === "network"
        ? html`<button
            type="button"
            class="vv-tool"
            aria-label=${again}
            data-tip=${again}
            @click=${() => files.retry(id)}
          >
            ${lateIcon("retry")}
          </button>`
        : nothing
    }
    <button
      type="button"
      class="vv-tool"
      aria-label=${remove}
      data-tip=${remove}
      @click=${({ currentTarget }: Event) => {
        if (currentTarget instanceof HTMLElement) focusNext(currentTarget);
        files.remove(id);
      }}
    >
      ${icon("close")}
    </button>
  </li>`;
}

/** The files of a question, as they stay in the transcript. */
export function sentFiles(
  props: FileProps,
  attachments: readonly TranscriptAttachment[],
): TemplateResult | typeof nothing {
  if (attachments.length === 0) return nothing;
  return html`<ul class="vv-files sent" aria-label=${props.t("attach_list")}>
    ${attachments.map(
      ({ id, name, type, bytes }) =>
        html`<li class="vv-file">
          ${look(props, id, type)} ${caption(name, bytesText(bytes, props.lang))}
        </li>`,
    )}
  </ul>`;
}

/** A small picture of the file, or an icon. The name beside it says what it is. */
function look({ preview }: FileProps, id: string, type: string): TemplateResult {
  const url = preview(id, type);
  // The page's policy may allow no blob: pictures; the icon behind it stays.
  const hide = ({ currentTarget: picture }: Event): void => {
    if (picture instanceof HTMLElement) picture.hidden = true;
  };
  return html`<span class="vv-file-look" aria-hidden="true">
    ${lateIcon(type === "application/pdf" ? "document" : "picture")}
    ${url === null ? nothing : html`<img src=${url} alt="" @error=${hide} />`}
  </span>`;
}

function caption(name: string, words: string): TemplateResult {
  return html`<span class="vv-file-words">
    <span class="vv-file-name" dir="auto">${name}</span> <span class="vv-file-note">${words}</span>
  </span>`;
}

/** What is wrong with a file. The text names it. */
function faultCaption(text: string): TemplateResult {
  return html`<span class="vv-file-words"><span class="vv-file-note" dir="auto">${text}</span></span>`;
}

function statusText(props: ChosenProps, { file: { name }, status, fault }: ChosenFile): string {
  const { t, kinds } = props;
  if (status === "kept") return t("attach_kept");
  if (status === "failed") return faultText(props, name, fault ?? "network", kinds);
  return t(status === "uploading" ? "attach_uploading" : "attach_uploaded", { name });
}

function faultText(
  { t, lang }: FileProps,
  name: string,
  fault: AttachmentFault,
  kinds: readonly AttachmentKind[],
): string {
  const types = attachmentTypes(kinds).map((type) => typeNames[type] ?? type);
  return t(`attach_${fault}`, {
    name,
    size: bytesText(attachmentMaxBytes, lang),
    types: types.join(", "),
    count: attachmentsPerQuestion,
  });
}

const typeNames: Readonly<Record<string, string>> = {
  "image/png": "PNG",
  "image/jpeg": "JPEG",
  "image/webp": "WebP",
  "image/gif": "GIF",
  "application/pdf": "PDF",
};

/** The size of a file in words, by the language's rules. */
function bytesText(bytes: number, lang: string): string {
  const kilobytes = bytes / 1024;
  const [amount, unit] = kilobytes < 1024 ? [kilobytes, "kilobyte"] : [kilobytes / 1024, "megabyte"];
  const format = new Intl.NumberFormat(lang, {
    style: "unit",
    unit,
    maximumFractionDigits: amount < 10 ? 1 : 0,
  });
  return format.format(amount);
}

/** Moves the focus to what follows a button that goes away. */
function focusNext(button: HTMLElement): void {
  const row = button.closest("li");
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const next =
    neighbour?.querySelector<HTMLElement>("button:last-of-type") ??
    row?.closest(".vv-text")?.querySelector("textarea");
  next?.focus();
}
