/** Base URL of the relay for elements without a `relay` attribute. Empty: the page's own origin. */
export let defaultRelay = "";

/** Sets the relay for elements without a `relay` attribute. Present sessions keep theirs until they end. */
export function setDefaultRelay(url: string): void {
  defaultRelay = url;
}
