import { describe, expect, test } from "vitest";
import { smallTalk } from "../../../../../src/service/language/engines/retrieval/small-talk.ts";

const answers = {
  hello: "Hello. What would you like to know?",
  welcome: "You're welcome. Is there anything else you'd like to know?",
  bye: "Goodbye, and thank you for talking with me.",
  well: "I'm well, thank you. What would you like to know?",
  who: "I'm an AI assistant, not a person. I answer from the information I was given.",
  help: "I answer questions from the information I was given. What would you like to know?",
  good: "Good. What else would you like to know?",
  no: "All right. I'm here if you need me.",
  yes: "Gladly. What would you like to know?",
};

describe("small talk is answered", () => {
  test.each<[keyof typeof answers, string[]]>([
    ["hello", ["Hi", "hello there", "  Good   evening! ", "ＨＥＬＬＯ", "Hey, Mara…"]],
    [
      "welcome",
      ["thanks", "Thank you", "many thanks", "thank", "thanks a lot for your help", "Thx", "cheers you"],
    ],
    [
      "bye",
      [
        "bye",
        "goodbye",
        "Bye bye",
        "see you",
        "see you later, thanks",
        "That’s all",
        "have a nice day, thank you",
      ],
    ],
    ["well", ["How are you?", "how are you doing today", "How’s it going?", "what's up"]],
    [
      "who",
      [
        "who are you",
        "What are you?",
        "are you a human",
        "are you an AI?",
        "Are you real",
        "Are you a real person?",
        "What’s your name?",
      ],
    ],
    [
      "help",
      [
        "help",
        "Help me!",
        "can you help",
        "Can you help me?",
        "how can you help me",
        "what can I ask",
        "What can I ask you?",
      ],
    ],
    ["good", ["OK", "all right", "Got it.", "wonderful"]],
    ["no", ["No.", "no thanks", "not now"]],
    ["yes", ["Yes!", "yes please", "sure"]],
  ])("%s", (name, texts) => {
    for (const text of texts) expect([text, smallTalk(text)]).toEqual([text, answers[name]]);
  });

  test.each([
    "oh hello",
    "hello my friend",
    "so many thanks",
    "thanks for nothing",
    "I say bye",
    "bye for now",
    "tell me how are you",
    "how are you open",
    "tell me who are you",
    "who are you selling to",
    "why are you a person",
    "are you a person or not",
    "so what's your name",
    "what's your name tag",
    "I need help",
    "help with chairs",
    "is it ok",
    "ok then",
    "say no",
    "no way",
    "oh yes",
    "yes but when",
    "hi-fi",
    "",
  ])("but not %j", (text) => {
    expect(smallTalk(text)).toBeNull();
  });

  test("only where it is short", () => {
    const long = "thanks you you you you you you you you you you you you you yo";
    expect(long).toHaveLength(61);
    expect(smallTalk(`${long}u`)).toBeNull();
    expect(smallTalk("thanks so much you you you you you you you you you you you y")).toBeNull();
    expect(smallTalk("thanks a lot you you you you you you you you you you you you")).toBe(answers.welcome);
  });
});
