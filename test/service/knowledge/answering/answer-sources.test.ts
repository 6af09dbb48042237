import { expect, test } from "vitest";
import { answerQuestion } from "../../../../src/service/knowledge/answering/answer-question.ts";
import { answerSources } from "../../../../src/service/knowledge/answering/answer-sources.ts";
import { indexUnits } from "../../../../src/service/knowledge/matching/unit-index.ts";
import type { ReadableDocument } from "../../../../src/service/knowledge/reading/unit.ts";

const firing = "# Firing\n\nThe kiln runs on Thursdays. Finished pieces stay on the shelf for a month.";
const courses = "# Courses\n\nAn evening class lasts three hours. Aprons hang by the door.";
const website: ReadableDocument = {
  title: "clay.example",
  text: `${firing}\n\n${courses}`,
  pages: [
    { url: "https://clay.example/firing", characters: firing.length },
    { url: "https://clay.example/empty", characters: 0 },
    { url: "https://clay.example/courses", characters: courses.length },
  ],
};

async function sourcesOf(question: string, ...documents: ReadableDocument[]) {
  const index = await indexUnits(documents);
  const asked = [{ role: "user" as const, content: question }];
  const { quoted } = await answerQuestion(asked, index, { dayToday: 1 });
  return answerSources(quoted, index, documents);
}

test("a page of a website is named by its heading and its address", async () => {
  expect(await sourcesOf("How long does an evening class last?", website)).toEqual([
    {
      title: "Courses",
      url: "https://clay.example/courses",
      passage: "An evening class lasts three hours. Aprons hang by the door.",
      quotes: ["An evening class lasts three hours."],
    },
  ]);
});

test("of two pages with one heading, the one that has the sentence is named", async () => {
  const twice = `# Courses\n\nOn Mondays we are closed for everybody.`;
  const both = {
    title: "clay.example",
    text: `${twice}\n\n${courses}`,
    pages: [
      { url: "https://clay.example/news", characters: twice.length },
      { url: "https://clay.example/courses", characters: courses.length },
    ],
  };
  expect(await sourcesOf("How long does an evening class last?", both)).toMatchObject([
    { url: "https://clay.example/courses" },
  ]);
});

test("a page whose own heading differs from its title is found too", async () => {
  const page = `# Clay House\n\n${courses}`;
  const both = {
    title: "clay.example",
    text: `${firing}\n\n${page}`,
    pages: [
      { url: "https://clay.example/firing", characters: firing.length },
      { url: "https://clay.example/courses", characters: page.length },
    ],
  };
  expect(await sourcesOf("How long does an evening class last?", both)).toMatchObject([
    { title: "Clay House", url: "https://clay.example/courses" },
  ]);
});

test("a document is named by its title, and shows what stands around the quote if that is short", async () => {
  const [source, ...others] = await sourcesOf("When does the kiln run?", {
    title: "House.pdf",
    text: firing,
  });
  expect(others).toEqual([]);
  expect(source).toMatchObject({ title: "House.pdf", quotes: ["The kiln runs on Thursdays."] });
  expect(source?.url).toBeUndefined();
  const long = `# Firing\n\nThe kiln runs on Thursdays. ${"Mugs, bowls and plates wait there. ".repeat(40)}`;
  const [cut] = await sourcesOf("When does the kiln run?", { title: "House.pdf", text: long });
  expect(cut?.passage.length).toBeLessThanOrEqual(600);
  expect(cut?.passage).toContain("The kiln runs on Thursdays.");
});

test("an answer that was taught, and one that quotes nothing, have no source", async () => {
  const taught = { title: "Answers you taught", text: firing, isTaught: true };
  expect(await sourcesOf("When does the kiln run?", taught)).toEqual([]);
  expect(await sourcesOf("Thank you!", website)).toEqual([]);
});
