/** Browsers that keep the permission for a microphone in different places. */
export type BrowserName = "chrome" | "firefox" | "safari" | "phone";

/** Where the visitor of a browser can allow the microphone again. `agent`: its user agent string. */
export function browserOf(agent: string): BrowserName {
  if (/Android|iPhone|iPad|Mobile/.test(agent)) return "phone";
  if (/Firefox\//.test(agent)) return "firefox";
  return /Chrom(?:e|ium)\//.test(agent) ? "chrome" : /Safari\//.test(agent) ? "safari" : "chrome";
}
