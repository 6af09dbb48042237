import { readFileSync } from "node:fs";
import type { Character } from "../../src/puppet/index.ts";
import { parseCharacter } from "../../src/puppet/index.ts";

/** The characters that ship. */
export const characterNames = ["mina", "tomas", "amara", "ingrid"] as const;

/** Reads one of the characters that ship, as JSON. */
export function readCharacter(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../public/characters/${name}.json`, import.meta.url), "utf8"));
}

/** One of the characters that ship. */
export function loadCharacter(name: string): Character {
  return parseCharacter(readCharacter(name));
}
