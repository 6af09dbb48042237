/** One constructable sheet per style text, made once: strict pages allow no style element. */
const sheets = new Map<string, CSSStyleSheet>();

/** Adds a sheet to a shadow root after those it has, once. The loader's own sheet stays. */
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
