/** The URL path of a loader with exactly this content, and the hash with which the browser checks it. */
export interface LoaderAddress {
  /** Identifies the content; part of the path. */
  version: string;
  /** Path under the relay, without a leading slash. The content at this path never changes. */
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
