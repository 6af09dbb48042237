import { expect, test } from "vitest";
import { replyAddress } from "../../../src/console/inbox/reply.ts";

const reply = (text: string, email = "ana@weiz.example"): string =>
  replyAddress(email, "Your message to Alder & Söhne", "You wrote, today at 14:09:", text);

test("a reply has the message quoted, line by line", () => {
  const mail = new URL(reply("Saturday?\nAnd the old table?"));
  expect(mail.protocol).toBe("mailto:");
  expect(mail.pathname).toBe("ana@weiz.example");
  expect(mail.searchParams.get("subject")).toBe("Your message to Alder & Söhne");
  expect(mail.searchParams.get("body")).toBe(
    "\r\n\r\nYou wrote, today at 14:09:\r\n> Saturday?\r\n> And the old table?",
  );
});

test("nothing that a visitor has written becomes a header of the reply", () => {
  const mail = new URL(reply("&bcc=other@evil.example#\r\nBcc: other@evil.example", "a+b?cc=c@evil.example"));
  expect([...mail.searchParams.keys()]).toEqual(["subject", "body"]);
  expect(mail.hash).toBe("");
  expect(mail.pathname).toBe("a%2Bb%3Fcc%3Dc@evil.example");
});

test("a long message is quoted as far as mail programs take it, and no character is cut in half", () => {
  for (const text of ["word ".repeat(800), "🪑".repeat(2_000), "질문".repeat(2_000)]) {
    const address = reply(text);
    expect(address.length).toBeLessThanOrEqual(1_900);
    expect(address.length).toBeGreaterThan(1_500);
    expect(new URL(address).searchParams.get("body")).toMatch(/ …$/);
  }
});
