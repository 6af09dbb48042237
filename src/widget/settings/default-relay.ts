/** Base URL of the relay for elements without a `relay` attribute. Empty: the page's own origin. */
export let defaultRelay = "";

/** Sets the relay for elements without a `relay` attribute; those that hold a session keep theirs until it ends. */
export function setDefaultRelay(url: string): void {
  defaultRelay = url;
}
