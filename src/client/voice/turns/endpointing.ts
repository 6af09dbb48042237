import type { TurnSettings } from "../../../protocol/settings/turn-settings.ts";

/** Words of greetings, thanks and agreement, by language: what people say before they come to the point. */
const openingWords: Readonly<Record<string, string>> = {
  en: "hello hi hey there good morning afternoon evening okay ok alright all right great perfect fine nice thanks thank you that that's sounds is i see understand",
  de: "hallo hi hey guten tag morgen abend grüß gott okay gut alles klar prima super danke schön das klingt ich verstehe",
  es: "hola buenos buenas días tardes noches vale bien perfecto gracias muchas de acuerdo entiendo",
  fr: "bonjour bonsoir salut d'accord bien très parfait merci beaucoup je vois",
  it: "ciao salve buongiorno buonasera va bene perfetto grazie mille capisco",
  pt: "olá oi bom boa dia tarde noite certo perfeito obrigado obrigada muito tudo bem entendi",
  ko: "안녕하세요 안녕 좋아요 좋습니다 알겠습니다 알겠어요 감사합니다 고맙습니다",
  ja: "こんにちは おはようございます こんばんは わかりました ありがとうございます いいですね",
  zh: "你好 您好 早上好 下午好 晚上好 好的 明白了 谢谢",
  ar: "مرحبا أهلا السلام عليكم صباح مساء الخير حسنا شكرا",
  he: "שלום היי בוקר ערב טוב בסדר תודה",
};

const words = new Map(Object.entries(openingWords).map(([tag, list]) => [tag, new Set(list.split(" "))]));

/** A longer text has come to the point. */
const wordsMax = 4;

/** Whether a text only opens a turn, as a greeting does: its speaker often goes on. Pure. `locale`: BCP 47 tag of its language. */
export function isOpening(text: string, locale: string): boolean {
  const known = words.get(locale.split(/[-_]/, 1)[0]?.toLowerCase() ?? "");
  const said = text
    .toLowerCase()
    .replaceAll("’", "'")
    .split(/[\s.,!。！、，]+/u)
    .filter(Boolean);
  return (
    known !== undefined && said.length <= wordsMax && said.length > 0 && said.every((word) => known.has(word))
  );
}

/**
 * Words after which people go on, by language: conjunctions, articles, prepositions, and what is said while thinking. A sentence
 * that ends with one of them is not finished.
 */
const openEnds: Readonly<Record<string, string>> = {
  en: "and but or nor so because if when while that which who whose where although though unless until since than as the a an my your our their his her its this these to of for with from at by in on about into between is are was were am be i'm i it's can could would should will um uh erm er hmm well like",
  de: "und oder aber weil dass wenn ob denn sondern als wie der die das den dem des ein eine einen einem einer mein meine ihr ihre für mit von zu zum zur in im an am auf bei nach über ist sind war waren äh ähm hm also",
  es: "y e o u pero porque que si cuando aunque como el la los las un una unos unas mi su de del a al en con por para sin sobre es son eh em pues este",
  fr: "et ou mais parce que qu' si quand comme donc le la les l' un une des du de d' mon ma mes votre notre à au aux en dans avec pour par sans sur est sont euh ben alors",
  it: "e o ma perché che se quando come il lo la i gli le un uno una mio di del della a al in con per da su è sono ehm allora",
  pt: "e ou mas porque que se quando como o a os as um uma meu minha de do da em no na com por para sem sobre é são hum então",
  ko: "그리고 그런데 그래서 하지만 또는 또 만약 음 어 저 그",
  ja: "と が で そして それで でも だけど から けど または えっと あの ええと",
  zh: "和 但是 因为 所以 如果 或者 还有 然后 嗯 那个 的",
};

const openWords = new Map(Object.entries(openEnds).map(([tag, words]) => [tag, new Set(words.split(" "))]));

/** Endings of Korean verbs after which the sentence goes on. */
const koreanOpen = /(?:[는은던한]데|지만|면서|니까|려고|거나|고|서|면)$/u;

const digits =
  /^(?:\d[\d.,\-/]*|zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun)$/u;

/** How many numbers in a row are dictation, such as of a telephone number. */
const dictatedNumbers = 2;

/** What the things of a list begin with, by language. */
const articles: Readonly<Record<string, string>> = {
  en: "an?|the|some|my",
  de: "eine?[nmr]?|der|die|das|den",
  es: "una?|el|la",
  fr: "une?|le|la|du",
  it: "una?|il|la",
  pt: "uma?|o",
};
/** How many things make a list, and the most words of one. */
const listItems = 3;
const itemWordsMax = 3;
/** The last thing of a list follows such a word. */
const lastItem = /^(?:and|or|und|oder|y|ed?|od?|et|ou)\s/u;

/**
 * Whether a text ends with a list whose last thing was not said yet: "a table, a chair, a lamp". Some recognizers write no commas:
 * then each thing must have its article.
 */
function isOpenList(text: string, language: string): boolean {
  const article = articles[language];
  if (article === undefined) return false;
  const items = text.split(/,\s*/u).slice(1);
  if (items.length >= listItems - 1)
    return items.every((item) => item.split(/\s+/u).length <= itemWordsMax && !lastItem.test(item));
  return new RegExp(`(?:\\b(?:${article}) \\p{L}+ ?){${listItems}}$`, "u").test(text);
}

/** Whether a text sounds as if its speaker goes on. Pure. `locale`: BCP 47 tag of its language. */
export function isUnfinished(text: string, locale: string): boolean {
  const trimmed = text.trim();
  if (/[.!?。！？…]["”’»)]*$/u.test(trimmed)) return trimmed.endsWith("…");
  if (/[,;:、，–-]$/u.test(trimmed)) return true;
  const language = locale.split(/[-_]/, 1)[0]?.toLowerCase() ?? "";
  const words = trimmed.toLowerCase().split(/\s+/u);
  const last = words.at(-1) ?? "";
  if (openWords.get(language)?.has(last)) return true;
  if (language === "ko" && koreanOpen.test(last)) return true;
  if (language === "ja" || language === "zh") {
    const ends = openWords.get(language) ?? new Set<string>();
    if ([...ends].some((end) => trimmed.endsWith(end))) return true;
  }
  if (isOpenList(words.join(" "), language)) return true;
  return words.slice(-dictatedNumbers).filter((word) => digits.test(word)).length === dictatedNumbers;
}

/** When a turn ends, in ms of silence. */
interface EndpointingSettings {
  /** After a finished clause. */
  readonly finishedMs: number;
  /** After an unfinished one. */
  readonly unfinishedMs: number;
}

/** The pauses that the owner wants. An unfinished clause is never cut off sooner than a finished one. */
export function endpointingOf({ pause_ms, open_pause_ms }: TurnSettings): EndpointingSettings {
  return { finishedMs: pause_ms, unfinishedMs: Math.max(open_pause_ms, pause_ms) };
}

/** How many of the visitor's last pauses are remembered. */
const pausesKept = 8;
/** A visitor's own pauses may raise the wait after a finished clause to this at most, in ms. */
const learnedMaxMs = 1_200;
/** The wait is longer than the visitor's usual pause by this factor. */
const learnedFactor = 1.2;
/** After a greeting or a thanks, people often go on: the wait after it is longer by this factor. */
const openingFactor = 2;
/** Shorter gaps are between words, and say nothing of how somebody pauses. In ms. */
const shortestPauseMs = 250;
/** The time that recognition has before a turn ends, in ms. */
const recognitionMs = 100;

/**
 * Decides how long a silence ends the visitor's turn. It learns from the pauses after which they went on: who pauses within
 * sentences is given more time.
 */
export class Endpointing {
  readonly #settings: EndpointingSettings;
  readonly #locale: string;
  #pausesMs: readonly number[] = [];

  constructor(settings: EndpointingSettings, locale: string) {
    this.#settings = settings;
    this.#locale = locale;
  }

  /** The silence after which the words heard so far are looked at: a little before it may end the turn, so that they are known by then. */
  get lookMs(): number {
    const { finishedMs } = this.#settings;
    return Math.max(finishedMs - recognitionMs, Math.min(finishedMs, shortestPauseMs));
  }

  /** The visitor went on after a pause. */
  learn(pauseMs: number): void {
    if (pauseMs < shortestPauseMs) return;
    this.#pausesMs = [
      ...this.#pausesMs.slice(1 - pausesKept),
      Math.min(pauseMs, this.#settings.unfinishedMs),
    ];
  }

  /** Whether these words are probably all that the visitor wants to say. */
  isLikelyEnd(words: string): boolean {
    return !isUnfinished(words, this.#locale) && !isOpening(words, this.#locale);
  }

  /** The silence that ends a turn of these words. */
  waitMs(words: string): number {
    const { finishedMs, unfinishedMs } = this.#settings;
    if (isUnfinished(words, this.#locale)) return unfinishedMs;
    // One long pause teaches nothing; three out of eight do.
    const usual = this.#pausesMs.toSorted((a, b) => b - a)[2] ?? 0;
    const leastMs = isOpening(words, this.#locale)
      ? Math.min(finishedMs * openingFactor, unfinishedMs)
      : finishedMs;
    return Math.max(leastMs, Math.min(usual * learnedFactor, learnedMaxMs, unfinishedMs));
  }
}
