/** Writes a line to the browser's console, for those who have put the avatar into a page. */
export function tellOwner(line: unknown): void {
  // eslint-disable-next-line no-console -- that is its purpose
  console.warn("Visavis: " + String(line));
}
