/** Options of `available()` and `install()` (Web Speech API, SpeechRecognitionOptions). */
interface RecognitionOptions {
  readonly langs: readonly string[];
  readonly processLocally: boolean;
}

/** The used part of `SpeechRecognition` (Web Speech API, section 4.1); TypeScript's library has no types for it. */
export interface BrowserRecognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  processLocally: boolean;
  /** Browsers that recognize on the device take a track; the others listen to the system's microphone. */
  start(track?: MediaStreamTrack): void;
  stop(): void;
  abort(): void;
}

/** Its constructor. Browsers without recognition on the device have no `available`. */
export interface BrowserRecognitionClass {
  new (): BrowserRecognition;
  available?(options: RecognitionOptions): Promise<string>;
  install?(options: RecognitionOptions): Promise<boolean>;
}

/** Who recognizes the visitor's speech in the browser: a model on the device, or a server of the browser's maker. */
export interface BrowserChoice {
  readonly kind: "device" | "cloud";
  readonly Recognition: BrowserRecognitionClass;
  /** Gets the language's model onto the device, if it is not there. Resolves with whether it is. Needs a gesture. */
  install(): Promise<boolean>;
}

/** Languages whose model could not be installed, for this page and, where the browser allows it, for this tab. */
const failedHere = new Set<string>();
const failedKey = (language: string): string => `visavis-no-recognizer:${language}`;

function hasFailed(language: string): boolean {
  try {
    return failedHere.has(language) || sessionStorage.getItem(failedKey(language)) !== null;
  } catch {
    return false;
  }
}

function rememberFailure(language: string): void {
  failedHere.add(language);
  try {
    sessionStorage.setItem(failedKey(language), "1");
  } catch {
    // The page still knows.
  }
}

const isClass = (value: unknown): value is BrowserRecognitionClass => typeof value === "function";

function recognitionClass(): BrowserRecognitionClass | undefined {
  return ["SpeechRecognition", "webkitSpeechRecognition"]
    .map((name): unknown => Reflect.get(globalThis, name))
    .find(isClass);
}

/**
 * The browser's recognizer for a language: the one on the device, where there is one or it can be installed; else the one of the
 * browser's maker, if the owner allows that; else null. Some browsers promise a model that they cannot get: after a failed
 * installation the one on the device is chosen only when it is there.
 *
 * @param language BCP 47 tag
 */
export async function chooseBrowserRecognition(
  language: string,
  allowsCloud: boolean,
): Promise<BrowserChoice | null> {
  const Recognition = recognitionClass();
  if (!Recognition) return null;
  const options = { langs: [language], processLocally: true };
  // It rejects where the page's policy forbids it.
  const local = await Recognition.available?.(options).catch(() => "unavailable");
  if (local === "available") return { kind: "device", Recognition, install: () => Promise.resolve(true) };
  const mayInstall = (local === "downloadable" || local === "downloading") && !hasFailed(language);
  if (mayInstall && Recognition.install)
    return {
      kind: "device",
      Recognition,
      async install() {
        const isInstalled = (await Recognition.install?.(options).catch(() => false)) ?? false;
        if (!isInstalled) rememberFailure(language);
        return isInstalled;
      },
    };
  return allowsCloud ? { kind: "cloud", Recognition, install: () => Promise.resolve(true) } : null;
}
