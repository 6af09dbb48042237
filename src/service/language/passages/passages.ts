/** A sentence that may be quoted, and its heading. */
export interface Passage {
  text: string;
  heading: string;
  /** The place of its document in the list of documents; null: it is in the instructions. */
  document: number | null;
}

/** A part of a document, with the document's place in the list of documents. */
export interface DocumentPart {
  document: number;
  text: string;
}

/** What an avatar may quote: its instructions, and parts of documents. */
export interface KnownTexts {
  instructions: string;
  documents: readonly DocumentPart[];
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** Sentences that tell the avatar how to behave. They are not meant for visitors. */
const directives: readonly RegExp[] = [
  /^(?:you(?:'re| are) (?:an? |the )?(?:\w+[ ,]+){0,6}?(?:assistant|agent|avatar|bot|guide|chatbot|representative|expert|host|model))\b/i,
  /^(?:you are|your name is|your (?:role|task|job|goal|tone|answers?|style)|act as|pretend|stay in character)\b/i,
  /^(?:answer|respond|reply|speak|greet|keep (?:your |the )?(?:answers?|replies|responses|it))\b/i,
  /^(?:always|never|do not|don't|please)\s+(?:answer|say|reveal|mention|talk|discuss|respond|reply|make up|invent|use|be|give|ask|apologi[sz]e|promise|speak|claim|pretend|disclose|tell|offer)\b/i,
  /^(?:if|when) (?:the |a |an )?(?:visitor|user|customer|caller|someone|they|you)\b.*\b(?:ask|say|tell|want|do not know|don't know)/i,
  /\b(?:system prompt|these instructions|the instructions|as an ai)\b/i,
];

function isDirective(sentence: string): boolean {
  return directives.some((pattern) => pattern.test(sentence));
}

const endsAsSentence = /[.!?…。！？]["'”’)\]]*$/;
const letters = /\p{L}/u;

/** A heading: a short line without final punctuation before other text, or a line marked as a heading. */
function headingOf(line: string, next: string | undefined): string | null {
  const marked = /^#{1,6}\s+(.+?)\s*#*$/.exec(line) ?? /^\*\*(.+?):?\*\*:?$/.exec(line);
  if (marked?.[1]) return marked[1];
  if (/^[-*•\d]/.test(line) || endsAsSentence.test(line)) return null;
  const followed = next !== undefined && next.trim() !== "";
  if (line.endsWith(":")) return line.slice(0, -1);
  return followed && line.split(/\s+/).length <= 8 && line.length <= 80 ? line : null;
}

function plainText(line: string): string {
  return line
    .replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, "")
    .replace(/\*\*(.+?)\*\*/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/** The sentences of a text, in order, with their headings. Headings themselves are never passages. */
function sentencesOf({ text, document: place }: { text: string; document: number | null }): Passage[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const passages: Passage[] = [];
  let heading = "";
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const title = headingOf(line, lines[index + 1]);
    if (title !== null) {
      heading = title;
      continue;
    }
    for (const { segment } of sentences.segment(plainText(line))) {
      const sentence = segment.trim();
      if (letters.test(sentence)) passages.push({ text: sentence, heading, document: place });
    }
  }
  return passages;
}

/** The sentences that may be quoted. Of the instructions, those that are meant for the avatar are left out. */
export function textPassages({ instructions, documents }: KnownTexts): Passage[] {
  return [
    ...sentencesOf({ text: instructions, document: null }).filter(({ text }) => !isDirective(text)),
    ...documents.flatMap(sentencesOf),
  ];
}
