import { describe, expect, it } from "vitest";
import { isBackchannel, isEcho } from "../../../src/client/voice/turns/hands-free.ts";
import {
  Endpointing,
  endpointingOf,
  isOpening,
  isUnfinished,
} from "../../../src/client/voice/turns/endpointing.ts";
import { turnSettingsOf } from "../../../src/protocol/settings/turn-settings.ts";

describe("a text is unfinished", () => {
  it.each([
    ["en", "I would like a chair and"],
    ["en", "I need it because"],
    ["en", "what about the"],
    ["en", "so um"],
    ["en-GB", "my number is zero three one six"],
    ["en", "my number is 0316 555"],
    ["en", "a table, a chair,"],
    ["en", "I need a table, a chair, a lamp"],
    ["en", "I need a table a chair a lamp"],
    ["de", "ich brauche einen Tisch einen Stuhl eine Lampe"],
    ["fr", "il me faut une table, une chaise, une lampe"],
    ["en", "I was thinking…"],
    ["de-AT", "ich hätte gern einen Stuhl und"],
    ["fr", "je voudrais une chaise pour"],
    ["ko", "의자를 사고 싶은데"],
    ["ja", "椅子がほしいんだけど"],
    ["zh-Hans", "我想买一把椅子，"],
    ["es", "quiero una silla pero"],
    ["it", "vorrei una sedia ma"],
    ["pt-BR", "eu queria uma cadeira mas"],
    ["ko", "그리고"],
    ["zh", "我想买一把椅子因为"],
    ["es", "necesito una mesa una silla una lámpara"],
    ["fr", "il me faut une table une chaise la lampe"],
    ["it", "mi serve una tavola una sedia la lampada"],
    ["pt", "preciso de uma mesa uma cadeira o candeeiro"],
    ["en", "a table,a chair,a lamp"],
    ["en", "I need a table, the big chair, a lamp"],
    ["en", " so um "],
    ["en", "zero one"],
    ["en_US", "so um"],
    ["EN", "SO UM"],
  ])("%s: %s", (locale, text) => {
    expect(isUnfinished(text, locale)).toBe(true);
  });

  it.each([
    ["en", "how much is the chair"],
    ["en", "How long does delivery take?"],
    ["en", "I need two chairs."],
    ["en", "I need a table, a chair, and a lamp"],
    ["en", "I need a table a chair and a lamp"],
    ["en", "no, the other one"],
    ["en", "thank you, that was all I wanted to know"],
    ["en", "well, when I was there, nobody could tell me the price"],
    ["en", "give the man a chair"],
    ["en", "I would like to order chair number 4"],
    ["de", "Wie lange dauert die Lieferung"],
    ["ko", "배송은 얼마나 걸리나요"],
    ["ja", "配送はどのくらいかかりますか"],
    ["sv", "hur mycket kostar stolen"],
    ["ja", "はい、昨日買いました、壊れました"],
    ["en", ""],
    ["en", "um so it is" + " there"],
    ["en", "It was 3.5 m. Really"],
    ["en", "How much?  "],
    ["en", 'he said "How much?"'],
    ["en", "version a10 b20"],
    ["en", "10th 20th"],
    ["ko", "그리고 배송은 얼마"],
    ["ko", "고맙습니다"],
    ["en", "나는 가고"],
    ["en", "椅子から"],
    ["xx", "a, b, c"],
    ["it", "una tavola, una sedia, e una lampada"],
    ["it", "una tavola, una sedia, ed una lampada"],
    ["it", "una tavola, una sedia, od una lampada"],
    ["es", "una mesa, una silla, o una lámpara"],
    ["en", "I need a table, a chair that is green and tall, a lamp"],
    ["en", "a  table,  a  very green  chair  too,  a lamp"],
    ["", "hello"],
  ])("but not %s: %s", (locale, text) => {
    expect(isUnfinished(text, locale)).toBe(false);
  });
});

describe("a text only opens a turn", () => {
  it.each([
    ["en", "hello"],
    ["en-US", "That sounds good."],
    ["de", "Guten Tag"],
    ["ko", "안녕하세요"],
    ["ja", "こんにちは。"],
    ["es", "buenos días"],
    ["fr", "d’accord, merci"],
    ["it", "buongiorno"],
    ["pt-BR", "bom dia"],
    ["zh", "你好"],
    ["ar", "مرحبا"],
    ["he", "שלום"],
    ["en", "hello ,  good morning there"],
    ["EN_gb", "Hello!"],
  ])("%s: %s", (locale, text) => {
    expect(isOpening(text, locale)).toBe(true);
  });

  it.each([
    ["en", "hello can you help me"],
    ["en", "yes please"],
    ["en", ""],
    ["sv", "hello"],
    ["en", "hello hello good morning there"],
    ["", "hello"],
  ])("but not %s: %s", (locale, text) => {
    expect(isOpening(text, locale)).toBe(false);
  });
});

describe("a turn ends", () => {
  it("later after a greeting, because people often go on", () => {
    const endpointing = new Endpointing(endpointingOf(turnSettingsOf({})), "en");
    expect(endpointing.waitMs("hello")).toBe(700);
    const slow = new Endpointing(endpointingOf(turnSettingsOf({ pause_ms: 400, open_pause_ms: 500 })), "en");
    expect(slow.waitMs("hello")).toBe(500);
  });

  it("waits as long as the owner says", () => {
    const slow = new Endpointing(
      endpointingOf(turnSettingsOf({ pause_ms: 600, open_pause_ms: 4_000 })),
      "en",
    );
    expect([slow.waitMs("how much is it"), slow.waitMs("how much and")]).toEqual([600, 4_000]);
    // The words are known by then.
    expect(slow.lookMs).toBe(500);
    expect(new Endpointing(endpointingOf(turnSettingsOf({ pause_ms: 200 })), "en").lookMs).toBe(200);
    expect(endpointingOf(turnSettingsOf({ pause_ms: 3_000 })).unfinishedMs).toBe(3_000);
  });

  it("350 ms after a finished clause, and 2.5 s after an unfinished one", () => {
    const endpointing = new Endpointing(endpointingOf(turnSettingsOf({})), "en");
    expect(endpointing.waitMs("how much is the chair")).toBe(350);
    expect(endpointing.waitMs("how much is the")).toBe(2_500);
  });

  it("2.5 s after a list whose last thing was not said yet", () => {
    const endpointing = new Endpointing(endpointingOf(turnSettingsOf({})), "en");
    expect(endpointing.waitMs("I need a table, a chair, a lamp")).toBe(2_500);
    expect(endpointing.waitMs("I need a table, a chair, and a lamp")).toBe(350);
  });

  it("later for a visitor who pauses within sentences, and never later than after an unfinished clause", () => {
    const endpointing = new Endpointing(endpointingOf(turnSettingsOf({})), "en");
    for (const pauseMs of [100, 120, 90, 200]) endpointing.learn(pauseMs);
    expect(endpointing.waitMs("how much is the chair")).toBe(350);
    endpointing.learn(900);
    endpointing.learn(800);
    expect(endpointing.waitMs("how much is the chair")).toBe(350);
    endpointing.learn(850);
    expect(endpointing.waitMs("how much is the chair")).toBe(960);
    for (let count = 0; count < 8; count++) endpointing.learn(9_000);
    expect(endpointing.waitMs("how much is the chair")).toBe(1_200);
    for (let count = 0; count < 8; count++) endpointing.learn(260);
    expect(endpointing.waitMs("how much is the chair")).toBe(350);
  });

  it("later only for pauses of a quarter of a second", () => {
    const endpointing = new Endpointing(endpointingOf(turnSettingsOf({ pause_ms: 200 })), "en");
    for (let count = 0; count < 3; count++) endpointing.learn(249);
    expect(endpointing.waitMs("how much is the chair")).toBe(200);
    for (let count = 0; count < 3; count++) endpointing.learn(250);
    expect(endpointing.waitMs("how much is the chair")).toBe(300);
  });

  it("as the owner has set it", () => {
    const endpointing = new Endpointing({ finishedMs: 600, unfinishedMs: 4_000 }, "en");
    expect([endpointing.waitMs("a chair"), endpointing.waitMs("a chair and")]).toEqual([600, 4_000]);
  });
});

it.each([
  ["uh-huh", true],
  ["Mhm.", true],
  ["okay", true],
  ["yes, right", true],
  ["네", true],
  ["", true],
  ["stop", false],
  ["yes but I want two", false],
  ["wait", false],
  ["uh  huh", true],
  ["okay okay okay", false],
])("%j only shows that the visitor listens: %s", (text, listens) => {
  expect(isBackchannel(text)).toBe(listens);
});

it.each([
  ["the chair costs four hundred", "The Alder chair costs four hundred and eighty euros.", true],
  ["how long does delivery take", "The Alder chair costs four hundred and eighty euros.", false],
  ["stop", "You may stop the delivery.", false],
  ["", "Anything.", true],
  ["the chair", "The chair.", true],
  ["a b c d e f g x y z", "a b c d e f g", true],
  ["a b c d e f x y z q", "a b c d e f", false],
])("%j after %j is the avatar's own voice: %s", (text, said, echo) => {
  expect(isEcho(text, said)).toBe(echo);
});
