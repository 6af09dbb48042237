import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { LRUCache } from "lru-cache";

/** The languages that the answerer knows words of. Chinese is one here: what matters is how its words are found. */
export const textLanguages = ["en", "de", "es", "fr", "it", "pt", "ko", "ja", "zh", "ar", "he"] as const;
export type TextLanguage = (typeof textLanguages)[number];

/* Words that do not help to find an answer, because any question and any text has them. */

const lists: Readonly<Record<TextLanguage, string>> = {
  en: `a an the is are was were be been being am do does did done can could would should will shall may might must
    i you he she it we they me him her us them my your our their his its mine yours this that these those of to in on at by for from
    with into onto and or but if so as than then too very really what which who whom whose when where why how much many any some there
    here have has had having get gets got getting want wants wanted need needs needed like likes please tell say know about just also not
    no yes ok okay hi hello hey thanks thank find give show let lets im ive id dont doesnt didnt cant couldnt wont wouldnt isnt arent wasnt
    whats wheres whens hows whos thats theres youre youd youll hes shes theyre well oh um exactly actually currently come s t re ve ll d m
    something anything everything somebody anybody anyone someone thing things one ones again up out over more most other else ask
    often wonder wondering mean maybe perhaps possible able use used using go going take make see still even only own`,
  de: `der die das den dem des ein eine einen einem einer eines ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen
    mein meine meinen meinem meiner dein deine ihre ihren ihrem ihrer unser unsere unseren unserem euer eure und oder aber wenn ob als wie
    wo was wer wann warum welche welcher welches welchen bei von zu zum zur mit für auf an am im in ins aus nach vor über unter um bis
    durch gegen ohne ist sind war waren sein bin seid hat habe haben habt hatte wird werden wurde kann können könnt könnte darf dürfen
    muss müssen soll sollte will wollen möchte mag ja nein nicht kein keine keinen auch noch schon nur sehr so da dort hier dann denn
    doch mal man sich etwas alles gibt geben bitte danke hallo eigentlich dass diese dieser dieses diesen viel viele mehr gern gerne
    lässt lassen machen mache macht geht gehen brauche brauchen bekomme bekommen wäre würde ihnen jemand jemanden wieder`,
  es: `el la los las un una unos unas de del a al en con por para sin sobre y o u e pero si que qué cual cuál cuáles quién quien cómo como
    cuándo cuando dónde donde cuánto cuánta cuántos cuántas por es son era ser soy está están estar estoy hay ha han he tengo tiene
    tienen tener puedo puede pueden poder quiero quiere mi mis tu tus su sus nuestro nuestra me te se lo le les nos os ustedes usted yo
    él ella ellos ellas esto esta este estos estas eso esa ese no sí muy más menos también ya algo alguna alguno algún hola gracias
    favor hacer hago hace ir voy va cada todo toda todos otra otro`,
  fr: `le la les l un une des de du d à au aux en dans avec pour par sur sous sans chez et ou mais si que qu qui quoi quel quelle quels
    quelles comment quand où combien pourquoi est sont était être suis es sommes êtes a as ai avons avez ont avoir il elle ils elles je j
    tu nous vous on me m te t se s ce c cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ne n pas plus non
    oui y très aussi peut peux pouvez puis fais fait faut faire veux voudrais bonjour merci plaît là ça cela quelque chose tout tous
    toute même vers`,
  it: `il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal in nel nella con su sul sulla
    per tra fra e o ma se che chi cosa quale quali come quando dove quanto quanta quanti quante perché è sono era essere sei siamo siete
    ha ho hai abbiamo avete hanno avere posso può puoi possono potete voglio vorrei mio mia miei tuo tua suo sua nostro vostro mi ti si
    ci vi ne io tu lui lei noi voi loro questo questa questi quello quella non sì no molto più meno anche già qualche qualcosa ciao
    grazie favore fare fa c' c'è`,
  pt: `o a os as um uma uns umas de do da dos das em no na nos nas com por para sem sobre e ou mas se que quem qual quais como quando
    onde quanto quanta quantos quantas porque é são era ser estou está estão estar há tem têm tenho ter posso pode podem poder quero
    quer meu minha meus seu sua seus nosso nossa me te lhe nos eu você vocês ele ela eles elas isto isso este esta esse essa aquele não
    sim muito mais menos também já algo algum alguma olá oi obrigado obrigada favor fazer faz vou vai cada todo toda ao à pelo pela`,
  ko: `그 저 것 거 게 수 때 곳 중 분 줄 데 있 없 하 해 할 한 되 돼 될 될까 뭐 뭘 무엇 무슨 뭔가 어떻게 어떤 어때 어디 어느 언제 왜 누 누구 누가 몇 좀 더 다 둘
    꼭 잘 못 안 네 예 아니요 아니 있나요 있어요 인가요 하나요 되나요 합니까 입니까 주세요 싶어요 싶 같 주 줘 받 보 오 가 내 나 우리 저희 제 가능 정도 그냥
    해요 얼마나 제가 저는 혹시 그럼 그러면 그리고 그런데 근데 여기 거기 이거 저거 이 알려 말 경우 대해 관련 안녕하세요 감사합니다`,
  ja: `の に は を が と も で へ や か から まで より です ます でした ました する した いる ある この その あの どの これ それ あれ どれ 何 ください`,
  zh: `的 了 吗 呢 吧 是 在 有 我 你 您 他 她 它 们 我们 你们 这 那 什么 怎么 哪 请 可以 能 要 和 与 嗎 這 們 麼 請 與`,
  ar: `في من على إلى عن مع هل ما ماذا متى أين كيف كم هو هي أنا أنت هذا هذه ذلك التي الذي و أو لا نعم يمكن يمكنني هناك لديكم`,
  he: `של את על עם אל מן הוא היא אני אתה אתם אנחנו זה זאת אלה מה מי איפה מתי איך כמה האם יש אין לא כן או גם אפשר לי לכם`,
};

const sets = new Map<TextLanguage, ReadonlySet<string>>();

/** The small words of a language, in lower case and without apostrophes. */
export function smallWordsOf(language: TextLanguage): ReadonlySet<string> {
  const known = sets.get(language);
  if (known) return known;
  const made = new Set(lists[language].split(/\s+/));
  sets.set(language, made);
  return made;
}

const stemmers: Partial<Record<TextLanguage, (word: string) => string>> = {
  en: english,
  fr: french,
  de: german,
  it: italian,
  pt: portuguese,
  es: spanish,
};

/** English forms that no ending explains, and spellings of the same word. */
const irregular: ReadonlyMap<string, string> = new Map(
  (
    "sent send, bought buy, paid pay, sold sell, took take, taken take, came come, gave give, given give, kept keep, children child, " +
    "people person, shelves shelf, colour color, colours color, lost lose, broke break, broken break, left leave, feet foot, " +
    "teeth tooth, men man, women woman, brought bring, taught teach, spoke speak, spoken speak, stolen steal, stole steal, tyre tire, " +
    "tyres tire, centre center, metre meter, metres meter, made make, built build, went go, gone go, held hold, lent lend, met meet, " +
    "worn wear, wore wear, forgot forget, forgotten forget, thieves thief, knives knife, kids kid, grey gray, centimetre cm, " +
    "centimetres cm, kilogram kg, kilograms kg, kilo kg, kilos kg, euros euro, eur euro, mum mother, mom mother, dad father"
  )
    .split(", ")
    .map((pair): [string, string] => {
      const [form = "", base = ""] = pair.split(" ");
      return [form, base];
    }),
);

/** Korean particles, which follow nouns. Longer ones first. */
const particle =
  /(?:에서는|에서도|으로는|으로도|까지는|부터는|이라도|에게서|한테서|이랑|에서|에게|한테|으로|까지|부터|보다|처럼|마다|이나|라도|에는|에도|과는|와는|쯤|들|밖에|은|는|이|가|을|를|에|의|도|로|와|과|만|나|랑|요)$/u;
/** Endings of Korean verbs. */
const verbEnding =
  /(?:하실|하시|하십|하려고|으려고|려고|고요|합니다|합니까|하나요|한가요|하면|하고|하는|하려면|할까요|할게요|해주세요|해요|해도|했|하지|할|함|하기|되나요|됩니다|되는|되어|돼요|될까요|됐|입니다|입니까|인가요|이에요|예요|이고|인데|이며|나요|어요|아요|습니다|습니까|을까요|세요|지요|죠|네요|려면|으면|면|고|는데|던데|지만|아도|어도|니까|어서|아서|도록|던|은가요|는가요|가요)$/u;

/** A word of one syllable with a particle that hardly any noun ends with: "차를", but not "아이". */
const oneSyllable = /^.[는를은에]$/u;

/** "일요일은요" has two of them. */
function withoutParticle(word: string): string {
  const noun = word.replace(particle, "");
  return noun.length >= 2 || oneSyllable.test(word) ? noun : word;
}

function koreanStem(word: string): string {
  const bare = word.replace(verbEnding, "") || word;
  return withoutParticle(withoutParticle(bare));
}

/** Letters without accents, which visitors leave out. */
const withoutAccents = (word: string): string =>
  word.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC").replaceAll("ß", "ss");

function latinStem(word: string, language: TextLanguage): string {
  const base = language === "en" ? (irregular.get(word) ?? word) : word;
  const stem = withoutAccents(stemmers[language]?.(base) ?? base);
  // "Fitting" and "fitter", "delivery" and "deliverer".
  return language === "en" && stem.length > 5 ? stem.replace(/(?:er|or)$/, "") : stem;
}

const stems = new LRUCache<string, string>({ max: 50_000 });

/** The common stem of a word's forms in a language. */
function stemOf(word: string, language: TextLanguage): string {
  const key = `${language}${word}`;
  const known = stems.get(key);
  if (known !== undefined) return known;
  const stem = hangul.test(word) ? koreanStem(word) : latinStem(word, language);
  stems.set(key, stem);
  return stem;
}

/** A word of a text. */
export interface Token {
  /** As written, in lower case. */
  readonly word: string;
  readonly stem: string;
  /** Whether any text has it, so that it finds nothing. */
  readonly isSmall: boolean;
}

const segmenter = new Intl.Segmenter("en", { granularity: "word" });
/** Written without spaces: pairs of characters find more than what a segmenter takes for words. */
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const runWithoutSpaces = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+)/u;
const hangul = /\p{Script=Hangul}/u;

/** Units are short, and questions too. */
const readCharacters = 4_000;

function pairs(word: string): string[] {
  const characters = Array.from(word);
  return characters.length < 2
    ? characters
    : characters.slice(1).map((last, at) => `${characters[at] ?? ""}${last}`);
}

/** A word without what is written together with it: "l'hôtel", "what's". */
function bare(word: string, language: TextLanguage): string {
  if (language === "fr" || language === "it")
    return word.replace(/^(?:qu|[ldjmtsnc]|un|dell|nell|all|sull)'(?=.)/, "");
  return language === "en" ? word.replace(/'(?:s|re|ve|ll|d|m)$/, "") : word;
}

function token(word: string, language: TextLanguage): Token {
  const isLetter = word.length === 1 && !/\d/.test(word) && !hangul.test(word) && !withoutSpaces.test(word);
  const stem = stemOf(word, language);
  const small = smallWordsOf(language);
  // Korean words are small in all their forms.
  const isSmall = isLetter || small.has(word.replaceAll("'", "")) || (hangul.test(word) && small.has(stem));
  return { word, stem, isSmall };
}

/** The words of a run of characters: pairs of them, or what a segmenter takes for words. */
function wordsOf(run: string, language: TextLanguage): string[] {
  if (withoutSpaces.test(run)) return pairs(run);
  return [...segmenter.segment(run)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => bare(segment, language));
}

/** The words of a text in order. */
export function tokensOf(text: string, language: TextLanguage): Token[] {
  const read = text.slice(0, readCharacters).normalize("NFKC").toLowerCase().replace(/[’`]/g, "'");
  return read
    .split(runWithoutSpaces)
    .flatMap((run) => wordsOf(run, language))
    .filter((word) => word !== "")
    .map((word) => token(word, language));
}

/** Parts of a text's words, in which misspelled and compound words still agree: three letters, or two of Korean. */
export function partsOf(tokens: readonly Token[]): Set<string> {
  const parts = new Set<string>();
  for (const { word, isSmall } of tokens) {
    if (isSmall) continue;
    const marked = `_${word}_`;
    const length = hangul.test(word) ? 2 : 3;
    for (let at = 0; at + length <= marked.length; at += 1) parts.add(marked.slice(at, at + length));
  }
  return parts;
}
