// @vitest-environment happy-dom
import { render } from "lit";
import { expect, onTestFinished, test, vi } from "vitest";
import type { TranscriptEntry } from "../../../src/client/index.ts";
import type { VisitorMessage } from "../../../src/protocol/session/visitor-message.ts";
import type { Handover } from "../../../src/protocol/settings/late-settings.ts";
import type { MessageDraft } from "../../../src/widget/panel/panel-host.ts";
import { messageParts } from "../../../src/widget/rich/message-form.ts";
import { richTexts } from "../../../src/widget/texts/rich-texts.ts";
import { addTexts, createTranslate } from "../../../src/widget/texts/texts.ts";

addTexts(richTexts);

const entry = (id: string, text: string) =>
  ({ id, role: "visitor", text, status: "final" }) as TranscriptEntry;
const talk = [entry("1", "Do you deliver on a Saturday?"), entry("2", "Can I talk to a person?")];

/** A panel that draws the message after each change. */
function panel(ways: Partial<Handover>, leave: (message: VisitorMessage) => Promise<void>) {
  const root = document.createElement("div");
  document.body.append(root);
  let draft: MessageDraft | undefined;
  const parts = () =>
    messageParts({
      t: createTranslate({}, ["en"], { owner: "Alder Home" }),
      lang: "en",
      ways: { event: false, message: [], consent: "", url: undefined, phone: undefined, ...ways },
      transcript: talk,
      draft: () => draft,
      change: show,
      show,
      session: { leaveMessage: leave },
    });
  function show(next: MessageDraft): void {
    draft = next;
    render(parts()?.form ?? parts()?.sent, root);
  }
  const field = (name: string) => root.querySelector<HTMLInputElement>(`[name=${name}]`)!;
  return {
    root,
    open: () => parts()?.open(),
    isOffered: () => parts() !== null,
    field,
    write(name: string, text: string) {
      field(name).value = text;
      field(name).dispatchEvent(new Event("input"));
    },
    submit: () => root.querySelector("form")!.dispatchEvent(new SubmitEvent("submit", { cancelable: true })),
  };
}

test("a message begins with what the visitor has asked, without the wish for a person", () => {
  const shown = panel({ message: ["email"] }, () => Promise.resolve());
  shown.open();
  expect(shown.field("text").value).toBe("Do you deliver on a Saturday?");
  expect(shown.root.querySelector("[name=name]")).toBeNull();
});

test("a message can be written on a page without https, where browsers make no UUIDs", () => {
  const uuid = vi.spyOn(crypto, "randomUUID").mockImplementation(() => {
    throw new TypeError("crypto.randomUUID is not a function");
  });
  onTestFinished(() => uuid.mockRestore());
  const shown = panel({ message: ["email"] }, () => Promise.resolve());
  shown.open();
  expect(shown.field("text").value).not.toBe("");
});

test("no message is offered where the owner asks for nothing", () => {
  expect(panel({}, () => Promise.resolve()).isOffered()).toBe(false);
});

test("what is missing is said beside its field, and nothing is sent", () => {
  const sent: VisitorMessage[] = [];
  const shown = panel({ message: ["phone", "name"], consent: "You may call me." }, (message) => {
    sent.push(message);
    return Promise.resolve();
  });
  shown.open();
  shown.write("text", "  ");
  shown.write("phone", "call me");
  shown.submit();
  const faults = [...shown.root.querySelectorAll(".vv-fault[id]")].map(({ id, textContent }) => [
    id,
    textContent,
  ]);
  expect(faults).toEqual([
    ["vv-message-text-fault", "This is still missing."],
    ["vv-message-phone-fault", "This doesn’t look right yet."],
    ["vv-message-agreed-fault", "This is still missing."],
  ]);
  expect(shown.field("phone").getAttribute("aria-describedby")).toBe("vv-message-phone-fault");
  expect(sent).toEqual([]);
});

test("a message that is not sent stays as it is, and goes again under its id", async () => {
  const sent: VisitorMessage[] = [];
  const shown = panel({ message: ["email", "name"] }, (message) => {
    sent.push(message);
    return sent.length === 1 ? Promise.reject(new Error("offline")) : Promise.resolve();
  });
  shown.open();
  shown.write("email", " ana@weiz.example ");
  shown.submit();
  await expect
    .poll(() => shown.root.querySelector("[role=alert]")?.textContent)
    .toBe(richTexts.message_failed);
  expect(shown.field("email").value).toBe("ana@weiz.example");
  shown.submit();
  await expect
    .poll(() => shown.root.querySelector("[role=status]")?.textContent)
    .toContain("Alder Home has your message.");
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]).toMatchObject({
    text: "Do you deliver on a Saturday?",
    email: "ana@weiz.example",
    agreed: false,
  });
  expect(sent[0]).not.toHaveProperty("name");
});
