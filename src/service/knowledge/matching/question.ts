import type { ChatMessage } from "../../../protocol/answers/llm-request.ts";
import { conceptsOf, conceptWords } from "../words/concepts.ts";
import type { FactKind } from "../words/facts.ts";
import { meantStem, meantWord } from "../words/spelling.ts";
import { partsOf, type TextLanguage, type Token, tokensOf } from "../words/tokens.ts";
import { textLanguage } from "../words/text-language.ts";
import type { Vector } from "../meaning/vectors.ts";
import { daysIn, relativeDay } from "../words/weekdays.ts";
import type { UnitIndex } from "./unit-index.ts";

/** Words and concepts with their weights, 0 to 1. */
type Weights = ReadonlyMap<string, number>;

/** What was spoken of before a question. */
interface Before {
  readonly stems: Weights;
  readonly concepts: Weights;
  readonly wants: ReadonlySet<FactKind>;
  /** The ids of the units that the answer quoted. */
  readonly quoted: ReadonlySet<number>;
}

/** A visitor's question as texts are searched for it. */
export interface Question {
  readonly text: string;
  readonly language: TextLanguage;
  readonly isInTextsLanguage: boolean;
  readonly tokens: readonly Token[];
  /** Its telling words. */
  readonly stems: Weights;
  readonly concepts: Weights;
  /** The concepts of each telling word, which texts may express by another one. */
  readonly meanings: ReadonlyMap<string, Weights>;
  readonly parts: ReadonlySet<string>;
  /** The kinds of facts that it asks for. */
  readonly wants: ReadonlySet<FactKind>;
  /** The days of the week that it asks about. */
  readonly days: ReadonlySet<number>;
  readonly asksHowMany: boolean;
  /** What it refers to ("and how much is it?"). */
  readonly before: Before | null;
  /** What it means, with what it refers to; null where no encoder knows its language. */
  readonly vector: Vector | null;
}

/** When and to whom the question is put. */
export interface Asking {
  /** The day of the week at the visitor's place, 0 for Sunday. */
  readonly dayToday: number;
  /** The language that the visitor uses, as far as is known. */
  readonly language: TextLanguage;
  /** What the messages mean, by `encodedTexts`. */
  readonly vectors?: ReadonlyMap<string, Vector> | undefined;
}

/** A question with the one that it refers to. */
export const withEarlier = (text: string, earlier: readonly ChatMessage[]): string =>
  `${earlier.findLast(({ role }) => role === "user")?.content.trim() ?? ""} ${text}`.trim();

/** Questions refer to the last few things that were said. */
const rememberedQuestions = 3;
const fewWords = 2;
const weights = { repaired: 0.85, earlier: 0.6 };

const leaning: Partial<Record<TextLanguage, RegExp>> = {
  en: /\b(?:it|its|they|them|that|this|those|these|one|ones|there|then|same|other|both|either)\b|^(?:and|what about|how about|but|or|so)\b/i,
  de: /\b(?:es|das|die|der|davon|dafür|dort|den|dem|beide|andere|anderen|dann|sie)\b|^(?:und|was ist mit|aber|oder|wie sieht)\b/i,
  es: /\b(?:eso|esa|ese|esto|otro|otra|allí|la|lo|ambos)\b|^¿?(?:y|qué tal|pero|o)\b/i,
  fr: /\b(?:ça|celui|celle|autre|le|la|les|y|en)\b|^(?:et|mais|ou)\b/i,
  it: /\b(?:lo|la|li|le|ne|quello|quella|altro|altra|ci)\b|^(?:e|ma|o)\b/i,
  pt: /\b(?:isso|esse|essa|ele|ela|outro|outra|lá)\b|^(?:e|mas|ou)\b/i,
  ko: /그|거기|이거|저거|다른|^그럼|은요|는요/,
  ja: /それ|あれ|これ|そこ|では$|は？?$/,
  zh: /那|它|这个|這個|呢/,
};

/** The kinds of facts that belong to concepts. */
const factsOfConcepts: readonly (readonly [FactKind, readonly string[]])[] = [
  ["money", ["price"]],
  ["time", ["hours"]],
  ["duration", ["duration"]],
  ["place", ["place"]],
  ["contact", ["contact"]],
  ["measure", ["size", "weight", "groups"]],
];

/** Forms of questions for a kind of fact, in the languages that have no concepts too. */
const factsOfForms: readonly (readonly [FactKind, RegExp])[] = [
  ["place", /^¿?(?:where|wo|où|dónde|dove|onde)(?!\p{L})|어디|どこ|哪里|哪裡|أين|איפה/iu],
  [
    "time",
    /^¿?(?:when|wann|quand|cuándo|quando|at what time|what time)(?!\p{L})|언제|몇 시|いつ|何時|什么时候|什麼時候|几点|幾點|متى|מתי/iu,
  ],
  [
    "money",
    /quanto (?:costa|custa|viene)|prezz|preço|いくら|値段|料金|多少钱|多少錢|价格|價格|بكم|سعر|כמה עולה|מחיר/iu,
  ],
  ["contact", /telefono|telefone|電話|电话|هاتف|טלפון/iu],
];
const howMany = /how many|how much|combien|cuánt|wie ?viel|quant[oiae]|몇|何人|几|幾/iu;

/** A question of its own, which does not go on asking for what was asked for before ("And the large one?"). */
const asksAnew =
  /^¿?(?:(?:and|but|so|und|aber|y|pero|et|mais|e|ma|mas) )?(?:what(?! about)|how(?! about)|who|where|when|which|can|could|do|does|is|are|will|was(?! ist mit)|wie(?! sieht)|wer|wo|wann|welche[rsn]?|kann|gibt|ist|sind|qué(?! tal)|cómo|cuándo|dónde|quién|puedo|hay|comment|quand|où|qui|quel(?:le)?s?|puis|est-ce|come|quando|dove|chi|cosa|onde|como|quem)(?!\p{L})/iu;

function wantedFacts(text: string, concepts: Weights): Set<FactKind> {
  const wants = new Set<FactKind>();
  for (const [kind, names] of factsOfConcepts) if (names.some((name) => concepts.has(name))) wants.add(kind);
  for (const [kind, form] of factsOfForms) if (form.test(text)) wants.add(kind);
  // "How long does it take" asks neither for a length nor for opening hours.
  if (wants.has("duration")) for (const kind of ["time", "measure"] as const) wants.delete(kind);
  return wants;
}

/** The words of a question that no text and no concept has, with those that they may be typing errors of. */
function repairedWords(
  tokens: readonly Token[],
  index: UnitIndex,
  language: TextLanguage,
): Map<string, string> {
  const repaired = new Map<string, string>();
  if (language !== index.language) return repaired;
  const general = conceptWords(language);
  for (const { word, stem, isSmall } of tokens) {
    const isKnown = index.frequency.has(stem) || index.words.has(word) || general.has(word);
    // Days are compared as days.
    if (isSmall || isKnown || daysIn(word).size > 0) continue;
    // A form of a word that concepts have is no mistake.
    if (conceptsOf(word, language).size > 0) continue;
    const meant = meantWord(word, index.lookup.wordsBy.get(word[0] ?? "") ?? []) ?? meantWord(word, general);
    if (meant !== null) repaired.set(word, meant);
  }
  return repaired;
}

/** A text with its typing errors repaired, as far as the words of the texts and of general concepts allow. */
export function repairedText(text: string, index: UnitIndex, usual: TextLanguage): string {
  const language = textLanguage(text, usual);
  const repaired = repairedWords(tokensOf(text, language), index, language);
  if (repaired.size === 0) return text;
  return text.replace(/\p{L}+/gu, (word) => repaired.get(word.normalize("NFKC").toLowerCase()) ?? word);
}

/** What two words in a row mean beside what the first of them does: "what time". */
function phraseConcepts(before: Token | undefined, token: Token, language: TextLanguage): [string, number][] {
  if (!before) return [];
  const alone = conceptsOf(before.word, language, [before]);
  const both = conceptsOf(`${before.word} ${token.word}`, language, [before, token]);
  return [...both].filter(([name]) => !alone.has(name));
}

/** The telling words of a question. Those that no text has are taken for typing errors of those that it has. */
function tellingStems(tokens: readonly Token[], index: UnitIndex, language: TextLanguage) {
  const isSame = language === index.language;
  const stems = new Map<string, number>();
  const meanings = new Map<string, Weights>();
  const also: string[] = [];
  const words = repairedWords(tokens, index, language);
  for (const [at, token] of tokens.entries()) {
    const { word, isSmall } = token;
    // Days are compared as days.
    if (isSmall || daysIn(word).size > 0) continue;
    const repaired = words.get(word);
    const [read = token] = repaired === undefined ? [] : tokensOf(repaired, language);
    const isKnown = index.frequency.has(read.stem) || repaired !== undefined;
    const meant =
      isSame && !isKnown ? meantStem(read.stem, index.lookup.stemsBy.get(read.stem[0] ?? "") ?? []) : null;
    if (meant !== null) also.push(meant);
    const weight = repaired === undefined && meant === null ? 1 : weights.repaired;
    const stem = meant ?? read.stem;
    stems.set(stem, Math.max(weight, stems.get(stem) ?? 0));
    const own = conceptsOf(read.word, language, [read]);
    meanings.set(stem, new Map([...own, ...phraseConcepts(tokens[at - 1], read, language)]));
  }
  return { stems, meanings, also };
}

const faded = (known: Weights): [string, number][] =>
  [...known].map(([name, weight]) => [name, weight * weights.earlier]);

function saidBefore(question: Question): Pick<Before, "stems" | "concepts"> {
  const { before } = question;
  if (!before) return question;
  return {
    stems: new Map([...faded(before.stems), ...question.stems]),
    concepts: new Map([...faded(before.concepts), ...question.concepts]),
  };
}

function quotedUnits(messages: readonly ChatMessage[], { lookup }: UnitIndex): Set<number> {
  const answer = messages.at(-1);
  return answer?.role === "assistant" ? lookup.quotedIn(answer.content) : new Set();
}

function beforeOf(
  messages: readonly ChatMessage[],
  index: UnitIndex,
  asking: Asking,
  depth: number,
): Before | null {
  const question = depth < rememberedQuestions ? readQuestion(messages, index, asking, depth + 1) : null;
  if (!question) return null;
  const wants = question.wants.size > 0 ? question.wants : (question.before?.wants ?? question.wants);
  return { ...saidBefore(question), wants, quoted: quotedUnits(messages, index) };
}

/**
 * So much of a message is read, in characters: its words are compared with all of the texts', so that a long one would keep others waiting.
 * People's questions are shorter; answers are only looked through for what they quote.
 */
const questionMaxCharacters = 1_500;
const answerMaxCharacters = 6_000;

/** A conversation as far as it is read: of long messages their beginnings and ends, since a question may stand at either. */
export function asRead(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map((message) => {
    const { role, content } = message;
    const most = role === "user" ? questionMaxCharacters : answerMaxCharacters;
    if (content.length <= most) return message;
    return { ...message, content: `${content.slice(0, most / 2)}\n${content.slice(-most / 2)}` };
  });
}

/** Whether the answer before offered this question: then it is about what was asked before. */
export function isOffered(text: string, earlier: readonly ChatMessage[]): boolean {
  const answer = earlier.at(-1);
  return answer?.role === "assistant" && answer.content.includes(text.replace(/[?？:：]\s*$/, "").trim());
}

/** The visitor's last message as a question; null where there is none. */
export function readQuestion(
  messages: readonly ChatMessage[],
  index: UnitIndex,
  asking: Asking,
  depth = 0,
): Question | null {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const text = messages[at]?.content.trim();
  if (text === undefined || text === "") return null;
  const language = textLanguage(text, asking.language);
  const isInTextsLanguage = language === index.language;
  const tokens = tokensOf(text, language);
  const { stems, meanings, also } = tellingStems(tokens, index, language);
  const concepts = conceptsOf([repairedText(text, index, asking.language), ...also].join(" "), language);
  const earlier = messages.slice(0, at);
  const leans = leaning[language]?.test(text) || stems.size <= fewWords || isOffered(text, earlier);
  const before = leans ? beforeOf(earlier, index, asking, depth) : null;
  const own = wantedFacts(text, concepts);
  const days = daysIn(text);
  const relative = relativeDay(text, asking.dayToday);
  if (relative !== null) days.add(relative);
  return {
    text,
    language,
    isInTextsLanguage,
    tokens,
    stems,
    concepts,
    meanings,
    parts: partsOf(tokens),
    wants: own.size === 0 && before && !asksAnew.test(text) ? before.wants : own,
    days,
    asksHowMany: howMany.test(text),
    before,
    vector: (isInTextsLanguage && asking.vectors?.get(before ? withEarlier(text, earlier) : text)) || null,
  };
}
