import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that can make characters, by the names under which systems have them. */
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"];
const elsewhere = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of a browser on this machine: the one that is named, or one that is installed. Null: there is none. */
export function findBrowser(
  named: string | undefined,
  environment: Record<string, string | undefined>,
): string | null {
  const given = named ?? environment["CHROMIUM_PATH"];
  if (given) return existsSync(given) ? given : null;
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere];
  return candidates.find((path) => existsSync(path)) ?? null;
}
