/** Constructable style sheets, one for each text: a strict content security policy allows no style element. */
const sheets = new Map<string, CSSStyleSheet>();

/** Adds style sheets to a shadow root, each once, after those that it has. The loader's own sheet stays. */
export function adoptStyles(root: ShadowRoot, ...texts: readonly string[]): void {
  const missing = texts.map(sheetOf).filter((sheet) => !root.adoptedStyleSheets.includes(sheet));
  if (missing.length > 0) root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...missing];
}

try {
  // Registered, it is a length: 1em of the host, wherever it is used.
  CSS.registerProperty({ name: "--vv-rem", syntax: "<length>", inherits: true, initialValue: "16px" });
} catch {
  // Another copy of the widget has registered it, or the browser cannot.
}

function sheetOf(text: string): CSSStyleSheet {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    // A rem of the style sheets is the visitor's own text size (tokens.css), and not what the page has made of it.
    // eslint-disable-next-line regexp/no-super-linear-move -- only our own style sheets
    sheet.replaceSync(text.replace(/([\d.]+)rem/g, "calc($1*var(--vv-rem))"));
    sheets.set(text, sheet);
  }
  return sheet;
}
