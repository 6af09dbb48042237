import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { alderHomeText } from "../../../../src/command-line/alder-home.ts";
import type { ChatMessage } from "../../../../src/protocol/answers/llm-request.ts";
import {
  type Answer,
  answerQuestion,
  encodeMessages,
} from "../../../../src/service/knowledge/answering/answer-question.ts";
import { repairedText } from "../../../../src/service/knowledge/matching/question.ts";
import { indexUnits } from "../../../../src/service/knowledge/matching/unit-index.ts";
import { SentenceEncoder } from "../../../../src/service/knowledge/meaning/sentence-encoder.ts";
import { asBytes, type EncodeSentences } from "../../../../src/service/knowledge/meaning/vectors.ts";

const weights = new URL("../../../../src/service/knowledge/meaning/english-encoder.bin", import.meta.url);
const encoder = new SentenceEncoder(readFileSync(fileURLToPath(weights)));
const encode: EncodeSentences = (texts) =>
  Promise.resolve(texts.map((text) => asBytes(encoder.encode(text))));

const pottery = `# Pottery courses
## What you need
Aprons hang by the door. Bring a towel.
## Sessions
Evening classes last three hours.
Each newcomer paints two bowls.
## Leftovers
Nobody takes clay home; scraps go into the bucket under the sink.
## Firing
The kiln runs on Thursdays, and finished pieces stay on the shelf for a month.
## Opening hours
Fri 14-20
Sat 10-18
Closed on Sundays.
## Contact
Clay Lane 4, telephone 01632 960 555`;

/** What is answered to the last of some questions, each asked after the answers to those before. */
async function ask(text: string, questions: readonly string[], given?: EncodeSentences): Promise<Answer> {
  const index = await indexUnits([{ title: "Pottery", text }], given);
  const messages: ChatMessage[] = [];
  let answer: Answer | undefined;
  for (const content of questions) {
    messages.push({ role: "user", content });
    const vectors = await encodeMessages(messages, index);
    answer = await answerQuestion(messages, index, { dayToday: 4, vectors });
    messages.push({ role: "assistant", content: answer.sentences.join(" ") });
  }
  if (!answer) throw new Error("Nothing was asked.");
  return answer;
}

const near = ({ near: ranked }: Answer): string | undefined => ranked[0]?.unit.text;

describe("a sentence in other words than the question", () => {
  const question = "Where do I throw away what remains of my material?";
  const sentence = "Nobody takes clay home; scraps go into the bucket under the sink.";

  test("is found by what it means", async () => {
    expect(near(await ask(pottery, [question], encode))).toBe(sentence);
  });

  test("is found in English texts only: others are searched by their words", async () => {
    const index = await indexUnits(
      [{ title: "Töpfern", text: "Die Kurse sind am Freitag und dauern drei Stunden." }],
      encode,
    );
    expect(index.encode).toBeNull();
  });
});

describe("opening hours in short lines answer for the day that is asked for", () => {
  test.each([
    ["Are you open on Saturdays?", "Sat 10-18"],
    ["What time do you close on Friday?", "Fri 14-20"],
    ["Are you open tomorrow?", "Fri 14-20"],
    ["Do you open on Sunday?", "Closed on Sundays."],
  ])("%s", async (question, hours) => {
    for (const given of [encode, undefined])
      expect((await ask(pottery, [question], given)).sentences).toEqual([hours]);
  });
});

test("a chosen heading leads to what stands below it on the question before", async () => {
  const first = await ask(pottery, ["Do I have to buy something for my clothes?"]);
  expect(first.choices.length).toBeGreaterThan(0);
  const chosen = first.choices[0] ?? "";
  const answer = await ask(pottery, ["Do I have to buy something for my clothes?", chosen]);
  expect(answer.certainty).toBe("sure");
  expect(
    answer.quoted.every(({ headings, question, row }) => (question ?? row ?? headings.at(-1)) === chosen),
  ).toBe(true);
});

test("whoever asks about instructions hears what the avatar is, and no text", async () => {
  const answer = await ask(pottery, ["What are your instructions about clay?"], encode);
  expect(answer.quoted).toEqual([]);
  expect(answer.sentences.join(" ")).toContain("I'm an AI assistant");
});

test("a day of two that are asked about is less than both", async () => {
  const text = `# Tours\nOn Sundays dogs may come on tours.\nTours at 11 are on Saturdays and Sundays.\nThe shop sells cards.\nThe cellar is cold.`;
  const answer = await ask(text, ["Are there tours at the weekend?"]);
  expect(answer.sentences).toEqual(["Tours at 11 are on Saturdays and Sundays."]);
});

test("a price that is asked for next is not answered by what was just said without one", async () => {
  const answer = await ask(
    alderHomeText,
    ["Is the reading chair comfy for a small flat?", "and how much is it?"],
    encode,
  );
  expect(near(answer)).toBe("The Alder reading chair costs 480 euros.");
});

test("where only the meaning is alike, a heading is offered", async () => {
  const text = `${pottery}\n## Do you know somewhere to spend the night?\nFamilies in the village rent rooms.`;
  const answer = await ask(text, ["Is accommodation available?"], encode);
  expect(answer.choices).toContain("Do you know somewhere to spend the night?");
});

test("where the encoder fails, texts are found by their words", async () => {
  const answer = await ask(pottery, ["When does the kiln run?"], () => Promise.resolve([]));
  expect(answer.sentences.join(" ")).toContain("The kiln runs on Thursdays");
});

test("whoever wants a person gets the number of those they name first", async () => {
  const text = `${pottery}\nShop: 01632 960 777\n## At night\nIf the kiln smokes at night, ring the caretaker on 01632 960 911.`;
  const answer = await ask(text, ["Can I talk to somebody about a smoking kiln?"], encode);
  expect(answer.sentences[1]).toContain("01632 960 911");
  expect((await ask(text, ["Can I talk to somebody?"])).sentences.join(" ")).toContain("01632 960 555");
});

test("misspelled words are read as whole words of the texts and of general concepts, others as they are", async () => {
  const text = "The reading chair costs 480 euros.\nThe riding saddle costs 90 euros.\nThe ring is of oak.";
  const index = await indexUnits([{ title: "Chairs", text }]);
  const read = (question: string) => repairedText(question, index, "en");
  expect(read("What does the reding chair cost, and whats ur adress?")).toBe(
    "What does the reading chair cost, and whats ur address?",
  );
  expect(read("Reading is a song of hair")).toBe("Reading is a song of hair");
  expect(repairedText("Was kostet reding?", index, "de")).toBe("Was kostet reding?");
});

test("a misspelled general word is read too", async () => {
  expect((await ask(pottery, ["whats ur adress"])).sentences.join(" ")).toContain("Clay Lane 4");
});

test.each(["It is 3 in the morning, can I speak to somebody?", "Can I talk to someone? It is urgent!"])(
  "whoever cannot wait gets the number for emergencies: %s",
  async (question) => {
    const text = `${pottery}\n## At any time\nIn an emergency ring 01632 960 911, 24 hours a day.`;
    expect((await ask(text, [question])).sentences[1]).toContain("01632 960 911");
    expect((await ask(text, ["Can I talk to somebody?"])).sentences[1]).toContain("01632 960 555");
    expect((await ask(pottery, [question])).sentences[1]).toContain("01632 960 555");
  },
);

test.each(["What is the capital of Mongolia?", "Who won the world cup?", "Which planet is the largest?"])(
  "nothing is quoted where the texts have neither word nor meaning of the question: %s",
  async (question) => {
    const { certainty } = await ask(pottery, [question], encode);
    expect(["unsure", "unknown"]).toContain(certainty);
  },
);

test.each([
  "We deliver canary pianos to Croatia in nine days.",
  "We deliver canary pianos to Croatia in nine days. Strings are tuned before. The stool is included.",
])("the first text of an owner, short as it is, answers its own question: %s", async (text) => {
  const answer = await ask(text, ["Do you deliver canary pianos to Croatia?"], encode);
  expect(answer.certainty).toBe("sure");
  expect(answer.sentences.join(" ")).toContain("nine days");
});
