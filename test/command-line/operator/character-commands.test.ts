import { expect, test } from "vitest";
import { temporaryFolder } from "../../service/service-fixture.ts";
import { commandLine } from "./operator-fixture.ts";

const words = (...more: string[]): string[] => [
  ...["character", "photo", "-", "--name", "anna", "--consent", "self", "--by", "Anna"],
  ...more,
];

test.each([
  ["where none is installed", {}, [], /^There is no browser here\. Install Chromium/],
  ["where the named one is missing", {}, ["--browser", "/nowhere/chrome"], /^--browser: .*\/nowhere\/chrome/],
  [
    "where the environment names a missing one",
    { CHROMIUM_PATH: "/nowhere/chromium" },
    [],
    /^CHROMIUM_PATH: .*\/nowhere\/chromium/,
  ],
])(
  "making a character from a photograph needs a browser: the message says what to do %s",
  async (_, environment, more, message) => {
    const visavis = commandLine(temporaryFolder(), { PATH: "", ...environment });
    const { failure, printed } = await visavis(words(...more));
    expect(failure).toMatch(message);
    expect(printed).toBe("");
  },
);

test("without a statement of consent nothing is made", async () => {
  const { failure } = await commandLine(temporaryFolder())(words("--consent", "maybe"));
  expect(failure).toMatch(/^--consent: set "self"/);
});

test("how much it shows is one of three words", async () => {
  const { failure } = await commandLine(temporaryFolder())(words("--framing", "huge"));
  expect(failure).toBe("--framing: set one of close, usual, wide.");
});

test("the name of a drawn character is refused before anything is made", async () => {
  const visavis = commandLine(temporaryFolder(), { PATH: "" });
  const { failure } = await visavis(words("--name", "mina"));
  expect(failure).toBe("name: This is the name of a drawn character; choose another one.");
});
