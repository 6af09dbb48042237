import { PuppetError } from "../puppet-error.ts";

/** The named colours of a character: token → `#rrggbb`. */
export type Palette = Readonly<Record<string, string>>;

const colourText = /^(?:(#[0-9a-f]{6})|([a-z][\w-]*))(?:@(\d*\.?\d+|\d+\.))?$/i;

/**
 * The canvas colour of a token or `#rrggbb`, either followed by `@alpha` (character format §2).
 * @throws PuppetError INVALID_CHARACTER at `at` for an unknown token or any other notation.
 */
export function resolveColour(text: string, palette: Palette, at: string): string {
  const [, literal, name, alpha = "1"] = colourText.exec(text) ?? [];
  const hex = literal ?? (name !== undefined && Object.hasOwn(palette, name) ? palette[name] : undefined);
  if (hex === undefined) throw PuppetError.invalid(at, `"${text}" is not a colour of this character`);
  const rgb = Number.parseInt(hex.slice(1), 16);
  return `rgba(${rgb >> 16},${(rgb >> 8) & 255},${rgb & 255},${Number(alpha)})`;
}
