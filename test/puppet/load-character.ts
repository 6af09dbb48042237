import { readFileSync } from "node:fs";
import type { Character } from "../../src/puppet/index.ts";
import { parseCharacter } from "../../src/puppet/index.ts";

/** The built-in characters. */
export const characterNames = ["mina", "tomas", "amara", "ingrid"] as const;

/** Those that are drawn where many frames are needed: the one with the most outlines, before a release all. */
export const oftenDrawn = process.env["ALL_CHARACTERS"] === undefined ? (["tomas"] as const) : characterNames;

/** Reads a built-in character as JSON. */
export function readCharacter(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../public/characters/${name}.json`, import.meta.url), "utf8"));
}

/** A built-in character. */
export function loadCharacter(name: string): Character {
  return parseCharacter(readCharacter(name));
}
