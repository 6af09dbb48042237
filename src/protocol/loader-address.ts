/** Where a page finds the loader with this very content, and how its browser checks that it is. */
export interface LoaderAddress {
  /** Names the content; part of the path. */
  version: string;
  /** Path under the relay, without a slash at its beginning. What it answers never changes. */
  path: string;
  /** Subresource Integrity: `sha384-…` (W3C SRI). */
  integrity: string;
}

/** The form of a loader's version. */
export const loaderVersionPattern = /^[A-Za-z0-9_-]{16}$/;

/** The address of a loader by the SHA-384 of its bytes, in base64. */
export function loaderAddress(sha384: string): LoaderAddress {
  const version = sha384.slice(0, 16).replaceAll("+", "-").replaceAll("/", "_");
  return { version, path: `embed/${version}/embed.js`, integrity: `sha384-${sha384}` };
}
