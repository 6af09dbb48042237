import { Fault } from "../../faults/fault.ts";

/** How deep values may be nested. */
export const maxDepth = 64;

/** How many values a body may have: everything that looks at them one by one stays a moment. */
export const maxValues = 50_000;

const tooMany = (): Fault => Fault.parse(`The body has more than ${maxValues} values.`);

/** Throws a Fault for a body that is nested too deep. */
export function refuseDepth(): never {
  throw Fault.parse(`The body is nested deeper than ${maxDepth} levels.`);
}

/** Throws a Fault for a form with too many fields, before they are taken apart. */
export function checkFieldCount(bytes: Uint8Array): void {
  let values = 1;
  for (let at = bytes.indexOf(0x26); at !== -1; at = bytes.indexOf(0x26, at + 1))
    if (++values > maxValues) throw tooMany();
}

/** The place of the quotation mark that ends a JSON string which begins at `from`; the text's end if there is none. */
function endOfString(text: string, from: number): number {
  const quote = text.indexOf('"', from + 1);
  if (quote === -1) return text.length;
  const escape = text.slice(from + 1, quote).indexOf("\\");
  if (escape === -1) return quote;
  for (let at = from + 1 + escape; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at;
  }
  return text.length;
}

/**
 * Throws a Fault for JSON with too many or too deeply nested values, before it is parsed: millions of them in a body that is small
 * enough would block all other requests.
 */
export function checkJsonShape(text: string): void {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (depth > maxDepth) refuseDepth();
        depth += 1;
        values += 1;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
        values += 1;
        break;
    }
    if (values > maxValues) throw tooMany();
  }
}
