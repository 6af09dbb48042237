/** The lines that put an avatar on a page of one's own bundle: the package, and the element. */
export function packageLines(relay: string, contextId: string): string {
  return [
    "npm install visavis",
    "",
    'import "visavis";',
    "",
    `<visavis-avatar context-id="${contextId}" relay="${relay}"></visavis-avatar>`,
  ].join("\n");
}

/** What a page's content security policy must allow for the relay of an address, one directive a line. */
export function policyLines(relay: string): string {
  // The origin is the address without a path. `URL` belongs to no language level that this layer has.
  const origin = /^https?:\/\/[^/]+/.exec(relay)?.[0] ?? relay;
  return [
    `script-src ${origin}`,
    `connect-src ${origin}`,
    `img-src data: blob: ${origin}`,
    `media-src blob: ${origin}`,
    `font-src ${origin}`,
    `frame-src ${origin}`,
  ].join("\n");
}
