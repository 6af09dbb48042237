import { setImmediate as nextTurn } from "node:timers/promises";
import type { Vector } from "../meaning/vectors.ts";
import {
  type Asking,
  isOffered,
  type Question,
  readQuestion,
  repairedText,
  withEarlier,
} from "../matching/question.ts";
import { type RankedUnit, rankUnits } from "../matching/ranking.ts";
import type { IndexedUnit, UnitIndex } from "../matching/unit-index.ts";
import type { ChatMessage } from "../../../protocol/answers/llm-request.ts";
import { calibrations as trained } from "../matching/trained-calibration.ts";
import { type Calibration, calibrationFor, type Calibrations } from "../matching/calibration.ts";
import { certaintyOf, readSigns, type Signs } from "../matching/confidence.ts";
import type { TextLanguage } from "../words/tokens.ts";
import { languageOfTag, textLanguage } from "../words/text-language.ts";
import { choicesOf, nameOf, sameMeaning } from "./choices.ts";
import { composeAnswer, composeSection, contactTexts } from "./compose-answer.ts";
import {
  fixedSentences,
  hasReservation,
  otherLanguageSentence,
  sentenceLanguage,
  type SentenceLanguage,
  unsureSentence,
} from "./fixed-sentences.ts";
import { partsOfMessage } from "./message-parts.ts";
import { asksForInstructions, helpsAnytime, isEmergency, smallTalk, wantsPerson } from "./small-talk.ts";

const maxWays = 3;

/** How sure an answer is: a quote, a quote with a reservation, a choice of what may be meant, or nothing. */
type Certainty = "sure" | "likely" | "unsure" | "unknown";

/** What is said to a message. */
export interface Answer {
  readonly certainty: Certainty;
  readonly sentences: readonly string[];
  /** What the visitor may have meant: each of these as a question leads to an answer. */
  readonly choices: readonly string[];
  /** The units that are quoted. */
  readonly quoted: readonly IndexedUnit[];
  /** The units that come nearest, best first. */
  readonly near: readonly RankedUnit[];
}

/** Who asks, and when. */
interface Visitor {
  /** The language of the page, BCP 47. */
  readonly locale?: string | undefined;
  /** How the avatar is called. */
  readonly avatarName?: string | undefined;
  /** The day of the week, 0 for Sunday. */
  readonly dayToday: number;
  /** What the messages mean, from `encodeMessages`. */
  readonly vectors?: ReadonlyMap<string, Vector> | undefined;
}

const fixed = (sentence: string): Answer => said("sure", [sentence]);
const said = (certainty: Certainty, sentences: readonly string[], more: Partial<Answer> = {}): Answer => ({
  certainty,
  sentences,
  choices: [],
  quoted: [],
  near: [],
  ...more,
});

/** The language that the visitor uses: that of their messages so far, else that of the page, else that of the texts. */
function usualLanguage(
  messages: readonly ChatMessage[],
  index: UnitIndex,
  locale: string | undefined,
): TextLanguage {
  const start = languageOfTag(locale) ?? index.language;
  const earlier = messages.filter(({ role }) => role === "user").slice(0, -1);
  return earlier.reduce((usual, { content }) => textLanguage(content, usual), start);
}

/** Among so many of the best units, one with contact data is what was asked for ("Can I talk to the workshop?"). */
const consideredForContact = 5;

/** The contact data that a visitor who cannot wait needs: in a text about emergencies, or below a heading that says so. */
function emergencyUnit(text: string, ranked: readonly RankedUnit[]): RankedUnit | undefined {
  if (!isEmergency(text)) return undefined;
  return ranked.find(
    ({ unit }) =>
      unit.facts.has("contact") && helpsAnytime([...unit.headings, unit.whole ?? unit.text].join("\n")),
  );
}

function personAnswer(
  text: string,
  ranked: readonly RankedUnit[],
  index: UnitIndex,
  language: SentenceLanguage,
): Answer {
  const { contact, noContact } = fixedSentences(language);
  const near = ranked.slice(0, consideredForContact).find(({ unit }) => unit.facts.has("contact"));
  const asked = emergencyUnit(text, ranked) ?? near;
  const usual = contactTexts(index);
  const ways = [...new Set([...(asked ? [asked.unit.whole ?? asked.unit.text] : []), ...usual])].slice(
    0,
    maxWays,
  );
  return ways.length === 0 ? said("unknown", [noContact]) : said("sure", [contact, ...ways]);
}

function unknownAnswer(index: UnitIndex, language: SentenceLanguage, near: readonly RankedUnit[]): Answer {
  const { unknown, contact } = fixedSentences(language);
  const ways = contactTexts(index);
  return said("unknown", ways.length === 0 ? [unknown] : [unknown, contact, ...ways], { near });
}

function bandOf(certainty: number, { plain, hedged, offered }: Calibration["thresholds"]): Certainty {
  if (certainty >= plain) return "sure";
  if (certainty >= hedged) return "likely";
  return certainty >= offered ? "unsure" : "unknown";
}

/**
 * A question whose words the texts hardly have is answered only by what clearly means the same: the nearest sentence of a shop's texts to a question
 * about anything else is no answer.
 */
function heldBack(band: Certainty, signs: Signs, { vector }: Question): Certainty {
  if (!vector || Math.max(signs.cosine, signs.cosineAround) >= sameMeaning) return band;
  const isStrange = signs.unknownWords === 1 && signs.unknownMeanings >= 0.75 && signs.fact <= 0;
  if (isStrange) return band === "unknown" ? band : "unsure";
  return band === "sure" && signs.unknownWords > 0.5 ? "likely" : band;
}

/** Whether a line of opening hours is that of the day whose hours are asked for. */
const statesHours = ({ concepts }: Question, best: RankedUnit | undefined): boolean =>
  concepts.has("hours") && best?.unit.kind === "hours" && best.features.day > 0;

function questionAnswer(
  question: Question,
  index: UnitIndex,
  language: SentenceLanguage,
  calibrations: Calibrations,
): Answer {
  const calibration = calibrationFor(question, calibrations);
  const near = rankUnits(question, index, calibration.weights);
  const signs = readSigns(question, near, index);
  const isChosen = near[0]?.features.heading === 1 || near[0]?.features.question === 1;
  const isHours = statesHours(question, near[0]);
  if (!signs) return unknownAnswer(index, language, near);
  const judged = bandOf(certaintyOf(signs, calibration.certainty), calibration.thresholds);
  const band = isChosen || isHours ? "sure" : heldBack(judged, signs, question);
  if (band === "unknown") return unknownAnswer(index, language, near);
  if (band === "unsure") {
    const choices = choicesOf(question, near, signs);
    if (choices.length === 0) return unknownAnswer(index, language, near);
    return said("unsure", [unsureSentence(language, choices)], { choices, near });
  }
  const { texts, units } = composeAnswer(question, near, index);
  const before = band === "likely" ? [fixedSentences(language).related] : [];
  if (!question.isInTextsLanguage) before.push(otherLanguageSentence(language, index.language));
  const quoted = new Set(units.map(nameOf));
  const choices =
    band === "likely" ? choicesOf(question, near, signs).filter((name) => !quoted.has(name)) : [];
  return said(band, [...before, ...texts], { choices, quoted: units, near });
}

/**
 * What stands below a heading, or answers a question, that the visitor has chosen: what fits to what was asked before comes first. Null
 * where nothing was offered or chosen.
 */
function chosenAnswer(
  chosen: string,
  earlier: readonly ChatMessage[],
  index: UnitIndex,
  asking: Asking,
  calibrations: Calibrations,
): Answer | null {
  // Beside an answer with a reservation, headings are offered that are not spoken.
  if (!isOffered(chosen, earlier) && !hasReservation(earlier.at(-1)?.content ?? "")) return null;
  const question = readQuestion(earlier, index, asking);
  if (!question) return null;
  const near = rankUnits(question, index, calibrationFor(question, calibrations).weights).filter(
    ({ unit }) => nameOf(unit) === chosen,
  );
  const units = composeSection(near);
  return units.length === 0
    ? null
    : said(
        "sure",
        units.map(({ text }) => text),
        { quoted: units, near },
      );
}

/** The first of two questions, which the second one may refer to ("and what do they cost?"). What is only stated asks for nothing. */
const askedBefore = (part: string | undefined): ChatMessage[] =>
  part === undefined || /[.!。]$/.test(part) ? [] : [{ role: "user", content: part }];

/** Two questions in one message are answered one after the other, where both have an answer of their own. */
function joined(answers: readonly Answer[]): Answer | null {
  const quoting = answers.filter(({ quoted }) => quoted.length > 0);
  if (quoting.length < 2 || new Set(quoting.map(({ quoted }) => quoted[0]?.id)).size < 2) return null;
  return {
    certainty: quoting.every(({ certainty }) => certainty === "sure") ? "sure" : "likely",
    sentences: [...new Set(quoting.flatMap(({ sentences }) => sentences))],
    choices: [],
    quoted: quoting.flatMap(({ quoted }) => quoted),
    near: quoting.flatMap(({ near }) => near),
  };
}

/** What the last message means, its parts, and each with what it may refer to; nothing where no encoder knows the language. */
export async function encodeMessages(
  messages: readonly ChatMessage[],
  index: UnitIndex,
): Promise<ReadonlyMap<string, Vector>> {
  const { encode, language } = index;
  const at = messages.findLastIndex(({ role }) => role === "user");
  const text = messages[at]?.content.trim() ?? "";
  if (!encode || text === "") return new Map();
  const earlier = messages.slice(0, at);
  const before = earlier.findLastIndex(({ role }) => role === "user");
  const around = (part: string, said: readonly ChatMessage[]) => [part, withEarlier(part, said)];
  const parts = partsOfMessage(text);
  const texts = new Set([
    ...around(text, earlier),
    ...parts.flatMap((part, place) => around(part, [...earlier, ...askedBefore(parts[place - 1])])),
  ]);
  // Whoever chooses a heading still wants to know what they have asked before.
  if (before >= 0)
    for (const one of around(earlier[before]?.content.trim() ?? "", earlier.slice(0, before))) texts.add(one);
  const vectors = await encode([...texts].map((one) => repairedText(one, index, language)));
  return new Map(
    [...texts].flatMap((one, place): [string, Vector][] => (vectors[place] ? [[one, vectors[place]]] : [])),
  );
}

/** Answers the visitor's last message from texts, without a language model. Between its parts, other requests get their turn. */
export async function answerQuestion(
  messages: readonly ChatMessage[],
  index: UnitIndex,
  { locale, avatarName, dayToday, vectors }: Visitor,
  calibrations: Calibrations = trained,
): Promise<Answer> {
  const text = messages.findLast(({ role }) => role === "user")?.content.trim() ?? "";
  const usual = usualLanguage(messages, index, locale);
  const language = sentenceLanguage(textLanguage(text, usual), text, locale);
  if (text === "") return fixed(fixedSentences(sentenceLanguage(usual, text, locale)).ask);
  const talk = smallTalk(text, { usual, name: avatarName });
  if (talk) return fixed(fixedSentences(sentenceLanguage(talk.language, text, locale))[talk.exchange]);
  if (asksForInstructions(text)) return fixed(fixedSentences(language).who);
  const asking = { dayToday, language: usual, vectors };
  if (wantsPerson(text)) {
    const question = readQuestion(messages, index, asking);
    const { weights } = calibrationFor(question ?? { vector: null }, calibrations);
    return personAnswer(text, question ? rankUnits(question, index, weights) : [], index, language);
  }
  const earlier = messages.slice(
    0,
    messages.findLastIndex(({ role }) => role === "user"),
  );
  const answerTo = async (content: string, before?: string): Promise<Answer | null> => {
    await nextTurn();
    const question = readQuestion(
      [...earlier, ...askedBefore(before), { role: "user", content }],
      index,
      asking,
    );
    return question && questionAnswer(question, index, language, calibrations);
  };
  const chosen = chosenAnswer(text, earlier, index, asking, calibrations);
  if (chosen) return chosen;
  const answers: Answer[] = [];
  const parts = partsOfMessage(text);
  for (const [place, part] of parts.entries()) {
    const answer = await answerTo(part, parts[place - 1]);
    if (answer) answers.push(answer);
  }
  return joined(answers) ?? (await answerTo(text)) ?? fixed(fixedSentences(language).ask);
}
