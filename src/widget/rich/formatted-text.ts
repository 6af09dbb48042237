import { html, nothing, type TemplateResult } from "lit";
import { parseMarkdown, plainText, readableText, type Block, type Inline } from "../../markdown/index.ts";
import sheet from "../styles/formatted-text.css?inline";
import type { LinkPolicy } from "./link-policy.ts";

export const css: string = sheet;

/** What a formatted text may contain besides letters. */
export interface FormattedProps {
  readonly links: LinkPolicy;
  /** Which addresses pictures may come from. */
  readonly images: LinkPolicy;
  /** The visitor follows a link. */
  readonly follow: (event: Event, href: string) => void;
  /** Names a table to screen readers. */
  readonly tableLabel: string;
}

/** A Markdown text as nodes. `isOpen`: it is still being written or was cut off, so marks may lack their end. */
export function formattedText(text: string, isOpen: boolean, props: FormattedProps): TemplateResult[] {
  return parseMarkdown(text, isOpen).map((block) => blockView(block, props));
}

/** How many characters, white space left out, a Markdown text shows up to a place. */
export function shownCharacters(text: string, place: number): number {
  const isOpen = place < text.length;
  return plainText(parseMarkdown(text.slice(0, place), isOpen)).replace(/\s/g, "").length;
}

/** A Markdown text for captions and screen readers. */
export function textToRead(text: string): string {
  return plainText(parseMarkdown(text));
}

/** A Markdown text for the clipboard and for a file: with the addresses of its links. */
export function textToKeep(text: string): string {
  return readableText(parseMarkdown(text));
}

function blockView(block: Block, props: FormattedProps): TemplateResult {
  switch (block.kind) {
    case "heading":
      return html`<p class="vv-h" role="heading" aria-level=${Math.min(block.level + 2, 6)} dir="auto">
        ${inlines(block.children, props)}
      </p>`;
    case "list":
      return listView(block, props);
    case "quote":
      return html`<blockquote>${block.blocks.map((inner) => blockView(inner, props))}</blockquote>`;
    case "code":
      return html`<pre tabindex="0" dir="ltr"><code>${block.text}</code></pre>`;
    case "rule":
      return html`<hr />`;
    case "table":
      return tableView(block, props);
    default:
      return html`<p dir="auto">${inlines(block.children, props)}</p>`;
  }
}

function listView({ start, items }: Block & { kind: "list" }, props: FormattedProps): TemplateResult {
  const rows = items.map((item) => html`<li dir="auto">${item.map((block) => blockView(block, props))}</li>`);
  return start === null
    ? html`<ul dir="auto">
        ${rows}
      </ul>`
    : html`<ol dir="auto" start=${start}>
        ${rows}
      </ol>`;
}

function tableView({ header, rows }: Block & { kind: "table" }, props: FormattedProps): TemplateResult {
  return html`<div class="vv-table" role="region" tabindex="0" aria-label=${props.tableLabel}>
    <table dir="auto">
      <thead>
        <tr>
          ${header.map((cell) => html`<th scope="col">${inlines(cell, props)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${inlines(cell, props)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function inlines(children: readonly Inline[], props: FormattedProps): unknown[] {
  return children.map((child) => inlineView(child, props));
}

function inlineView(child: Inline, props: FormattedProps): unknown {
  switch (child.kind) {
    case "strong":
      return html`<strong>${inlines(child.children, props)}</strong>`;
    case "emphasis":
      return html`<em>${inlines(child.children, props)}</em>`;
    case "deleted":
      return html`<del>${inlines(child.children, props)}</del>`;
    case "code":
      return html`<code dir="ltr">${child.text}</code>`;
    case "break":
      return html`<br />`;
    case "link":
      return linkView(child, props);
    case "image":
      return imageView(child, props);
    default:
      return child.text;
  }
}

function linkView({ href, children }: Inline & { kind: "link" }, props: FormattedProps): unknown {
  const target = props.links(href);
  const label = inlines(children, props);
  if (target === null) return label;
  return html`<a
    href=${target}
    target="_blank"
    rel="noopener noreferrer"
    @click=${(event: Event) => props.follow(event, target)}
    >${label}</a
  >`;
}

function imageView({ src, alt }: Inline & { kind: "image" }, { images }: FormattedProps): unknown {
  const source = images(src);
  if (source === null) return alt || nothing;
  return html`<img src=${source} alt=${alt} loading="lazy" decoding="async" referrerpolicy="no-referrer" />`;
}
