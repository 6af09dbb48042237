/** What a unit is in its text. */
type UnitKind = "sentence" | "item" | "row" | "hours" | "line";

/** The smallest part of a text that can answer a question, with what it needs to be understood. */
export interface Unit {
  /** What is said: plain text, without marks. */
  readonly text: string;
  readonly kind: UnitKind;
  /** The title of the document and the headings above it, outermost first. */
  readonly headings: readonly string[];
  /** The question that it answers in its text, as in lists of frequent questions. */
  readonly question: string | null;
  /** Other wordings of that question, as in taught answers. */
  readonly wordings: readonly string[];
  /** The place of its document in the list of documents. */
  readonly document: number;
  /** The paragraph, list or table that it belongs to: one number for each in a document. */
  readonly block: number;
  /** Its row's name, the first cell. */
  readonly row?: string | undefined;
  /** Whether it is said with the list that follows it. */
  readonly introduces?: boolean | undefined;
  /** The whole block, where its lines only make sense together: an address, or opening hours. */
  whole?: string | undefined;
}

/** A document to read. */
export interface ReadableDocument {
  readonly title: string;
  readonly text: string;
  /** The pages of a website in the order of the text, where two line ends separate them. */
  readonly pages?: readonly { readonly url: string; readonly characters: number }[] | undefined;
  /** Answers that the owner has taught. */
  readonly isTaught?: boolean | undefined;
}
