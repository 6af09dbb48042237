import { Parser } from "htmlparser2";

/** What a page says. */
export interface HtmlText {
  title: string;
  /** Markdown: headings, paragraphs and list items. */
  text: string;
}

/** Elements whose text does not belong to the page's content. */
const leftOut = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "nav",
  "footer",
  "aside",
  "form",
  "button",
  "select",
  "svg",
  "iframe",
  "object",
  "dialog",
]);

/** Elements that begin and end a paragraph. */
const blocks = new Set(
  "address article blockquote body br caption dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header hr li main ol p pre section summary table td th tr ul".split(
    " ",
  ),
);

/** The deepest nesting that is followed. Deeper text is left out. */
const maxDepth = 500;

const headingLevel = (name: string): number | null => (/^h[1-6]$/.test(name) ? Number(name.slice(1)) : null);

/** Reads the text of a page as Markdown. No script of the page runs, and no address in it is requested. */
export function htmlText(html: string): HtmlText {
  const lines: string[] = [];
  let [title, line, prefix] = ["", "", ""];
  let isTitle = false;
  let [depth, leftOutDepth] = [0, 0];
  const endLine = (): void => {
    const text = line.replace(/\s+/g, " ").trim();
    if (text !== "") lines.push(`${prefix}${text}`);
    [line, prefix] = ["", ""];
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (leftOutDepth > 0) return;
      const isHidden = "hidden" in attributes || attributes["aria-hidden"] === "true";
      if (leftOut.has(name) || isHidden || depth > maxDepth) {
        leftOutDepth = depth;
        return;
      }
      if (name === "title") isTitle = true;
      if (!blocks.has(name)) return;
      endLine();
      const level = headingLevel(name);
      if (level !== null) prefix = `${"#".repeat(level)} `;
      else if (name === "li") prefix = "- ";
    },
    ontext(text) {
      if (leftOutDepth > 0) return;
      if (isTitle) title += text;
      else line += text;
    },
    onclosetag(name) {
      if (leftOutDepth === depth) leftOutDepth = 0;
      depth -= 1;
      if (name === "title") isTitle = false;
      if (leftOutDepth === 0 && blocks.has(name)) endLine();
    },
  });
  parser.write(html);
  parser.end();
  endLine();
  return { title: title.replace(/\s+/g, " ").trim(), text: lines.join("\n\n") };
}
