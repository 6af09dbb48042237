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
