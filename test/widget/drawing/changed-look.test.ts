import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changedCharacter } from "../../../src/widget/drawing/looks.ts";

beforeEach(() => {
  vi.stubGlobal("location", { href: "https://shop.example/chairs" });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const session = "https://relay.example/avatars/embed/v1/sessions/s1";
const look = (...files: { name: string; file: string }[]) => ({ model_style: "tomas", files });

test("the look's character is read from the session's relay, wherever the service says that it is", () => {
  const poster = { name: "poster", file: "http://service.internal/characters/tomas-poster.webp" };
  const character = { name: "character", file: "http://service.internal/characters/tomas.json" };
  expect(changedCharacter(look(poster, character), session)).toBe(
    "https://relay.example/avatars/characters/tomas.json",
  );
  const own = { name: "character", file: "/characters/tomas.json" };
  expect(changedCharacter(look(own), session)).toBe("https://relay.example/avatars/characters/tomas.json");
});

test("a relay on the page's own origin is found, too", () => {
  const character = { name: "character", file: "/characters/tomas.json" };
  expect(changedCharacter(look(character), "/embed/v1/sessions/s1")).toBe(
    "https://shop.example/characters/tomas.json",
  );
});

test("a photo character is read from where the relay has it", () => {
  const id = "13cf9abe-ed57-4f55-b601-d12eccf50167";
  const file = `https://service.example/api/v1/photo_character/${id}/character/`;
  expect(changedCharacter(look({ name: "character", file }), session)).toBe(
    `https://relay.example/avatars/characters/photos/${id}/character.json`,
  );
});

test("a look without a character that the relay serves changes nothing", () => {
  expect(changedCharacter(look(), session)).toBeNull();
  expect(changedCharacter(look({ name: "character", file: "/api/v1/document/" }), session)).toBeNull();
  expect(changedCharacter({ files: "all" }, session)).toBeNull();
});
