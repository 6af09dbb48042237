import { describe, expect, it } from "vitest";
import type { TranscriptEntry } from "../../../src/client/index.ts";
import { asksForPerson, handoverReason } from "../../../src/widget/rich/handover-view.ts";

it.each([
  "Can I talk to a person?",
  "I'd like to speak with a real human please",
  "human",
  "Connect me to an agent",
  "Kann ich mit einem Menschen sprechen?",
  "Ich möchte mit jemandem reden",
  "Je voudrais parler à quelqu’un",
  "Quiero hablar con una persona",
  "Vorrei parlare con un operatore",
  "Quero falar com um atendente",
  "상담원 연결해 주세요",
  "担当者と話したいです",
  "转人工",
  "我想跟真人客服說話",
  "أريد التحدث مع شخص",
  "אני רוצה לדבר עם נציג",
])("%s asks for a person", (text) => {
  expect(asksForPerson(text)).toBe(true);
});

it.each([
  "Which chair is easy to clean?",
  "Are you a real person?",
  "How many people fit on the sofa?",
  "Ist der Stuhl für eine Person?",
  "Est-ce que la chaise est pour une personne ?",
  "一人用の椅子はありますか",
  "이 의자는 몇 사람이 앉을 수 있나요?",
  "这把椅子适合几个人？",
  "",
])("%s does not ask for a person", (text) => {
  expect(asksForPerson(text)).toBe(false);
});

describe("the reason to offer a person", () => {
  const entry = (role: TranscriptEntry["role"], more: Partial<TranscriptEntry> = {}): TranscriptEntry => ({
    id: "m1",
    role,
    text: "…",
    status: "final",
    at: 0,
    ...more,
  });
  const missed = [entry("visitor"), entry("avatar", { found: false })];

  it("is two answers in a row that found nothing", () => {
    expect(handoverReason(missed)).toBeNull();
    expect(handoverReason([...missed, ...missed])).toBe("not_found");
    expect(handoverReason([...missed, entry("visitor"), entry("avatar"), ...missed])).toBeNull();
    expect(handoverReason([...missed, ...missed, entry("visitor")])).toBeNull();
  });

  it("is the visitor's request", () => {
    expect(handoverReason([entry("visitor", { text: "Can I talk to a person?" })])).toBe("asked");
  });
});
