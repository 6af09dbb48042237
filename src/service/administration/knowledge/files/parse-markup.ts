import { Parser, type Handler, type ParserOptions } from "htmlparser2";

/** The most elements that may be open at once: the parser looks through all of them for each closing tag. */
const maxOpen = 1_000;

/** Reads HTML or XML (`xmlMode`). What comes after too many open elements is left out. */
export function parseMarkup(markup: string, handler: Partial<Handler>, options?: ParserOptions): void {
  let open = 0;
  const parser: Parser = new Parser(
    {
      ...handler,
      onopentag(...tag) {
        open += 1;
        handler.onopentag?.(...tag);
        if (open > maxOpen) parser.pause();
      },
      onclosetag(...tag) {
        open -= 1;
        handler.onclosetag?.(...tag);
      },
    },
    options,
  );
  parser.end(markup);
}
