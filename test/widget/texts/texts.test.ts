import { expect, it } from "vitest";
import { createTranslate } from "../../../src/widget/texts/texts.ts";

it("takes texts by exact language, base language, then any", () => {
  const texts = { "pt.ready": "Pronto", ready: "Go", "pt-BR.end": "Encerrar" };
  expect(createTranslate(texts, "pt-BR", {})("ready")).toBe("Pronto");
  expect(createTranslate(texts, "pt-BR", {})("end")).toBe("Encerrar");
  expect(createTranslate(texts, "de", {})("ready")).toBe("Go");
  expect(createTranslate({}, "de", { name: "<b>Mara" })("launcher")).toBe("Talk with <b>Mara");
});
