import { TypedEvents } from "../typed-events.ts";
import { VisavisError } from "../visavis-error.ts";
import type { RecognizerEvents, TurnRecognizer } from "./turn-recognizer.ts";

/** Options of `available()` and `install()` (Web Speech API, SpeechRecognitionOptions). */
interface RecognitionOptions {
  readonly langs: readonly string[];
  readonly processLocally: boolean;
}

/** The used part of `SpeechRecognition` (Web Speech API, section 4.1); TypeScript's library has no types for it. */
interface BrowserRecognition extends EventTarget {
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
interface BrowserRecognitionClass {
  new (): BrowserRecognition;
  available?(options: RecognitionOptions): Promise<string>;
  install?(options: RecognitionOptions): Promise<boolean>;
}

/** Who recognizes the visitor's speech in the browser: a model on the device, or a server of the browser's maker. */
interface BrowserChoice {
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

/** Hands-free, words that have not changed for so long are the turn's, although the browser may still call them unsure. In ms. */
const settledMs = 400;
/** The longest wait for words of a turn, in ms: the first ones come late. */
const wordsLimitMs = 1_500;
/** The longest wait for the last words after a turn of push-to-talk, in ms. */
const endLimitMs = 8_000;
const lookMs = 50;
/** Browsers end recognition by themselves after a silence. It begins again after this time, in ms. */
const againMs = 250;
/** So many ends in a row without a word are a failure, if each comes within `quickEndMs`. */
const quickEndsMax = 4;
const quickEndMs = 2_000;

/** The server of the browser's maker is away for a moment: recognition begins again after these times, in ms, before that is a failure. */
const networkAgainMs = [500, 1_500, 4_000] as const;

/** Errors that mean only that nothing was said, or that the turn was dropped. */
const harmless: readonly string[] = ["no-speech", "aborted"];

const wordsOf = (text: string): string[] => text.split(/\s+/u).filter(Boolean);

/** What is understood, and whether the browser is sure of it. */
interface Heard {
  readonly words: readonly string[];
  readonly isFinal: boolean;
}

/** For the comparison of two results: browsers change the capitals and marks of a growing one. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/**
 * The texts of results, one after the other. Chrome on Android gives a growing copy as a result of its own, often a final one ("how",
 * "how are", "how are you"): a text that begins with the one before takes its place.
 */
function withoutCopies(texts: readonly string[]): string[] {
  const kept: string[] = [];
  for (const text of texts) {
    const [before, now] = [plain(kept.at(-1) ?? ""), plain(text)];
    if (now === "") continue;
    // Somebody who says "no" and then "no" again has said it twice; a copy of more words is a copy.
    const isCopy =
      before !== "" && (now.startsWith(`${before} `) || (now === before && before.includes(" ")));
    if (isCopy) kept[kept.length - 1] = text;
    else kept.push(text);
  }
  return kept;
}

/** The results of an event (Web Speech API, SpeechRecognitionEvent). */
function heardIn(event: Event): Heard {
  if (!("results" in event)) return { words: [], isFinal: true };
  // eslint-disable-next-line no-restricted-syntax -- the event's type is not in TypeScript's list of events
  const results = Array.from(event.results as SpeechRecognitionResultList);
  return {
    words: wordsOf(withoutCopies(results.map((result) => result[0]?.transcript ?? "")).join(" ")),
    isFinal: results.every(({ isFinal }) => isFinal),
  };
}

/**
 * The browser's own recognizer. It cannot hear what was said before its start: for hands-free it therefore listens all the time
 * (`listen()`), and a turn is what was understood since the turn's beginning.
 */
export class BrowserRecognizer implements TurnRecognizer {
  readonly events = new TypedEvents<RecognizerEvents>();
  readonly #choice: BrowserChoice;
  readonly #language: string;
  #running: BrowserRecognition | null = null;
  #startedAtMs = 0;
  #quickEnds = 0;
  /** Faults of the network in a row. */
  #networkFaults = 0;
  #track: MediaStreamTrack | null = null;
  /** It listens between turns too. */
  #listens = false;
  /** What the running recognition has understood. */
  #heard: Heard = { words: [], isFinal: true };
  /** How many of those words belong to earlier turns. */
  #used = 0;
  /** Words of the present turn that an ended recognition has understood. */
  #kept: readonly string[] = [];
  #failure: VisavisError | null = null;
  /** The turn that has ended and waits for its last words: looks at them again, or takes what there is. */
  #ending: { look(): void; finish(): void } | null = null;
  #again: ReturnType<typeof setTimeout> | undefined;

  /** `language`: BCP 47 tag. */
  constructor(choice: BrowserChoice, language: string) {
    this.#choice = choice;
    this.#language = language;
  }

  async prepare(): Promise<void> {
    if (!(await this.#choice.install()))
      throw new VisavisError("engine_failed", "The browser could not install its speech recognition.");
  }

  listen(track: MediaStreamTrack): void {
    // Another device has taken over.
    if (this.#running && track !== this.#track) this.#drop();
    this.#listens = true;
    this.#track = track;
    this.#quickEnds = 0;
    this.#networkFaults = 0;
    if (!this.#running) this.#run();
  }

  rest(): void {
    this.#listens = false;
    this.cancel();
  }

  start(_prerollMs: number, track: MediaStreamTrack): boolean {
    this.#track = track;
    // Hands-free, a turn begins where the one before ends: that one still takes the words that come.
    if (this.#listens && this.#ending) return true;
    this.#ending?.finish();
    this.#failure = null;
    this.#forget();
    if (!this.#listens) this.#drop();
    return this.#running !== null || this.#run();
  }

  end(): Promise<string> {
    this.#ending?.finish();
    const isLast = !this.#listens;
    if (isLast) this.#running?.stop();
    const beganAtMs = performance.now();
    let changedAtMs = beganAtMs;
    let before = this.#text;
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        clearInterval(timer);
        this.#ending = null;
        const text = this.#text;
        this.#forget();
        if (isLast) this.#drop();
        if (this.#failure && !text) reject(this.#failure);
        else resolve(text);
      };
      const look = (): void => {
        const nowMs = performance.now();
        if (this.#text !== before) changedAtMs = nowMs;
        before = this.#text;
        const isComplete = isLast ? !this.#running : this.#heard.isFinal && before !== "";
        const isSettled = !isLast && before !== "" && nowMs - changedAtMs >= settledMs;
        const isOver = nowMs - beganAtMs >= (isLast ? endLimitMs : wordsLimitMs);
        if (isComplete || isSettled || isOver || this.#failure) finish();
      };
      const timer = setInterval(look, lookMs);
      this.#ending = { look, finish };
      look();
    });
  }

  cancel(): void {
    this.#forget();
    if (!this.#listens) this.#drop();
  }

  close(): void {
    this.#listens = false;
    this.#ending?.finish();
    this.#drop();
  }

  /** What was understood up to now belongs to no turn any more. */
  #forget(): void {
    this.#kept = [];
    this.#used = this.#heard.words.length;
  }

  /** What was understood of the present turn. */
  get #text(): string {
    return [...this.#kept, ...this.#heard.words.slice(this.#used)].join(" ");
  }

  #run(): boolean {
    clearTimeout(this.#again);
    const recognition = new this.#choice.Recognition();
    recognition.lang = this.#language;
    recognition.continuous = true;
    recognition.interimResults = true;
    recognition.processLocally = this.#choice.kind === "device";
    recognition.addEventListener("result", (event) => this.#handleResult(recognition, event));
    recognition.addEventListener("error", (event) => this.#handleError(recognition, event));
    recognition.addEventListener("end", () => this.#handleEnd(recognition));
    this.#heard = { words: [], isFinal: true };
    this.#used = 0;
    this.#startedAtMs = performance.now();
    try {
      recognition.start(this.#track ?? undefined);
    } catch {
      return false;
    }
    this.#running = recognition;
    return true;
  }

  /** Forgets the running recognition: what it still tells is ignored. */
  #drop(): void {
    clearTimeout(this.#again);
    const running = this.#running;
    this.#running = null;
    this.#heard = { words: [], isFinal: true };
    this.#used = 0;
    running?.abort();
  }

  #handleResult(recognition: BrowserRecognition, event: Event): void {
    if (recognition !== this.#running) return;
    this.#quickEnds = 0;
    this.#networkFaults = 0;
    this.#heard = heardIn(event);
    // The browser has corrected itself, and needs fewer words now.
    this.#used = Math.min(this.#used, this.#heard.words.length);
    if (this.#text) this.events.emit("partial", this.#text);
    this.#ending?.look();
  }

  #handleError(recognition: BrowserRecognition, event: Event): void {
    const code = "error" in event ? String(event.error) : "unknown";
    if (recognition !== this.#running || harmless.includes(code)) return;
    // Between turns nobody has lost a word: it listens again a little later.
    if (code === "network" && this.#listens && this.#networkFaults++ < networkAgainMs.length) return;
    this.#fail(`The browser's speech recognition failed: ${code}.`);
  }

  #handleEnd(recognition: BrowserRecognition): void {
    if (recognition !== this.#running) return;
    this.#kept = [...this.#kept, ...this.#heard.words.slice(this.#used)];
    this.#heard = { words: [], isFinal: true };
    this.#used = 0;
    this.#running = null;
    const networkMs = networkAgainMs[this.#networkFaults - 1];
    const isQuick = networkMs === undefined && performance.now() - this.#startedAtMs < quickEndMs;
    this.#quickEnds = isQuick ? this.#quickEnds + 1 : 0;
    if (this.#quickEnds > quickEndsMax) this.#fail("The browser's speech recognition ends at once.");
    else if (this.#listens && !this.#failure)
      this.#again = setTimeout(() => this.#run(), networkMs ?? againMs);
    this.#ending?.look();
  }

  #fail(message: string): void {
    this.#failure = new VisavisError("engine_failed", message);
    this.#ending?.look();
  }
}
