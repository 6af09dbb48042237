/** An operator's page, on conversations that go on in the service. */
import { expect, onTestFinished, test, vi } from "vitest";
import { password, runConsole } from "../../service/http/console/console-fixture.ts";
import { ask, askForEvents, newConversation } from "../../service/http/console/visitor.ts";
import type { RunningService } from "../../service/service-fixture.ts";
import { all, field, press, read, see, seeNone, seeValue, textOf, type, within, write } from "../finding.ts";
import { holdTimers, openConsole, type Stand } from "../stand.ts";

const quickAnswers = [
  "Saturday works within 40 km. Is it about “{page}”, {name}?",
  "We take one old piece with us for each new one.",
];
const dialog = within("dialog");
const log = () => document.querySelector("[role=log]") ?? undefined;
const presence = /not here|I am here/;

/** A service with a conversation that goes on, on the page Chairs. */
async function visited(): Promise<{ run: RunningService; session: string }> {
  const run = await runConsole();
  onTestFinished(() => run.service.stop());
  const { demo, organizationId, store } = run;
  const config = { ...demo.config, quick_answers: quickAnswers, retention_days: 2 };
  await store.contexts.replace(organizationId, demo.id, { ...demo, embed_config: config }, 1);
  const session = await newConversation(run);
  const stream = await run.get(`/api/v1/session/${session}/person/?page=Chairs&path=/chairs`);
  onTestFinished(() => stream.body?.cancel().catch(() => undefined));
  await ask(run, session, "How much is the Birch chair?");
  return { run, session };
}

async function beHere(): Promise<void> {
  await press(presence);
  await write("Visitors read", "Lena", dialog);
  await press("I am here", dialog);
  await see("button", /I am here until/);
}

const want = (run: RunningService, session: string) =>
  run.send("POST", `/api/v1/session/${session}/person/`, { wanted: true });

test("whoever waits for a person is told of and answered, then the avatar goes on with a summary", async () => {
  const { run, session } = await visited();
  await openConsole("/live", { run });
  await see("heading", "Nobody needs you");
  await beHere();
  await want(run, session);
  await see("heading", "One needs you");
  await expect.poll(() => document.title).toMatch(/^\(1\) /);
  document.querySelector<HTMLElement>(`[data-session="${session}"]`)!.click();
  await read("190", log);
  await read("The visitor asked for a person", log);
  await press("Take over");
  const target = await field("Write to the visitor");
  await expect.poll(() => document.activeElement).toBe(target);
  await write("Write to the visitor", "Hello");
  type(target, "Enter");
  await read("Hello", log);
  await askForEvents(run, session, "Saturday?");
  await read("Saturday?", log);
  await press("Hand back");
  await write("What the AI should know of it", "Wants Saturday.", dialog);
  await press("Hand back", dialog);
  await read("Lena summed up", log);
});

test("whispered words are said by the avatar exactly, and the page says so", async () => {
  const { run, session } = await visited();
  await openConsole(`/live/${session}`, { run });
  await write(/^Whisper to /, "It is on sale today.");
  await read(/says exactly this/);
  type(await field(/^Whisper to /), "Enter");
  await read("It is on sale today.", log);
});

test("a quick answer is found by a word, comes into the field, and is sent when the person wants it", async () => {
  const { run, session } = await visited();
  await openConsole("/live", { run });
  await beHere();
  document.querySelector<HTMLElement>(`[data-session="${session}"]`)!.click();
  await see("heading", "Visitor on Chairs");
  await press("Take over");
  const label = "Write to the visitor";
  const options = () => all("option").map(textOf);
  await press("Quick answers");
  await expect.poll(() => document.activeElement).toBe(await field(label));
  await expect.poll(options).toEqual(quickAnswers);
  type(await field(label), "ArrowDown");
  const chosen = () => textOf(document.querySelector("[role=option][aria-selected=true]")!);
  await expect.poll(chosen).toBe(quickAnswers[1]);
  type(await field(label), "Escape");
  await seeNone("option");
  await write(label, "/saturday");
  await expect.poll(options).toEqual([quickAnswers[0]]);
  type(await field(label), "Enter");
  const text = "Saturday works within 40 km. Is it about “Chairs”, {name}?";
  await seeValue(label, text);
  expect(textOf(log())).not.toContain("Saturday works");
  type(await field(label), "Enter");
  await read(text, log);
});

test("the console listens again after the server has refused it for a while", async () => {
  const again = holdTimers(3_000);
  const { run } = await visited();
  const stand: Stand = await openConsole("/no-such-page", { run });
  stand.instead = ({ path }) =>
    path.startsWith("/api/console/live/stream/") ? new Response(null, { status: 503 }) : undefined;
  stand.go("/live");
  await read(/The server doesn’t answer/);
  stand.instead = null;
  await expect.poll(() => (again(), textOf(document.body))).not.toMatch(/The server doesn’t answer/);
  await see("button", presence);
});

test("whose login has ended is asked to sign in again, and listens on", async () => {
  const again = holdTimers(3_000);
  const { run } = await visited();
  const stand = await openConsole("/no-such-page", { run });
  stand.cookie = "";
  stand.go("/live");
  await write("Password", password, dialog);
  await press("Sign in", dialog);
  await seeNone("dialog");
  await expect.poll(() => (again(), all("button", presence).length)).toBe(1);
});

/** A browser with sound and notifications, which notes what the page does with them. */
function alerts(): { alerted: string[]; allow: (permission: "granted" | "denied") => void } {
  const alerted: string[] = [];
  const node = {
    frequency: {},
    gain: {
      setValueAtTime: () => undefined,
      linearRampToValueAtTime: () => undefined,
      exponentialRampToValueAtTime: () => undefined,
    },
    connect: () => node,
    start: () => alerted.push("tone"),
    stop: () => undefined,
  };
  const context = {
    currentTime: 0,
    createOscillator: () => node,
    createGain: () => node,
    resume: () => Promise.resolve(),
  };
  vi.stubGlobal(
    "AudioContext",
    vi.fn(function AudioContext() {
      return context;
    }),
  );
  const Shown = Object.assign(
    vi.fn(function Notification(title: string) {
      alerted.push(title);
    }),
    { permission: "denied", requestPermission: () => Promise.resolve(Shown.permission) },
  );
  vi.stubGlobal("Notification", Shown);
  return { alerted, allow: (permission) => void (Shown.permission = permission) };
}

test("a tone and a notification tell an operator who looks elsewhere", async () => {
  const { run, session } = await visited();
  const { alerted, allow } = alerts();
  const stand = await openConsole("/live", { run });
  const box = (name: string | RegExp) => field(name, dialog);
  await press(presence);
  await press("A soft tone", dialog);
  // The tone is heard when it is chosen.
  await expect.poll(() => alerted).toEqual(["tone"]);
  const notice = /A notification of this device/;
  await press(notice, dialog);
  await read("This browser shows no notifications of this page.");
  await expect.poll(async () => (await box(notice)).checked).toBe(false);
  allow("granted");
  await press(notice, dialog);
  await expect.poll(() => localStorage.getItem("visavis-live-notice")).toBe("1");
  await press("I am here", dialog);
  await see("button", /I am here until/);
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  await want(run, session);
  await expect.poll(() => alerted).toEqual(["tone", "tone", "One needs you"]);

  await press(presence);
  expect((await box("A soft tone")).checked).toBe(true);
  await press("A soft tone", dialog);
  stand.reload();
  await press(presence);
  await expect.poll(async () => (await box("A soft tone")).checked).toBe(false);
});
