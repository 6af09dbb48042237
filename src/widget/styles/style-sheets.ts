/** Constructable style sheets, one for each text: a strict content security policy allows no style element. */
const sheets = new Map<string, CSSStyleSheet>();

/** Adds style sheets to a shadow root, each once, after those that it has. The loader's own sheet stays. */
export function adoptStyles(root: ShadowRoot, ...texts: readonly string[]): void {
  const missing = texts.map(sheetOf).filter((sheet) => !root.adoptedStyleSheets.includes(sheet));
  if (missing.length > 0) root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...missing];
}

function sheetOf(text: string): CSSStyleSheet {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    sheets.set(text, sheet);
  }
  return sheet;
}
