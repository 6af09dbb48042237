import { expect, it } from "vitest";
import { createTranslate } from "../../../src/widget/texts/texts.ts";

it("takes texts by exact language, base language, then any", () => {
  const texts = { "pt.ready": "Pronto", ready: "Go", "pt-BR.end": "Encerrar" };
  expect(createTranslate(texts, ["pt-BR", "pt"], {})("ready")).toBe("Pronto");
  expect(createTranslate(texts, ["pt-BR", "pt"], {})("end")).toBe("Encerrar");
  expect(createTranslate(texts, ["de"], {})("ready")).toBe("Go");
  expect(createTranslate({}, ["de"], { name: "<b>Mara" })("launcher")).toBe("Talk with <b>Mara");
});

it("takes a text that the owner did not replace from the language's texts, else from English", () => {
  const t = createTranslate(
    { "ko.ready": "네" },
    ["ko"],
    { name: "Mara" },
    { ready: "준비됨", launcher: "{name}에게 물어보기" },
  );
  expect([t("ready"), t("launcher"), t("close")]).toEqual(["네", "Mara에게 물어보기", "Close"]);
});
