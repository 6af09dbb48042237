import { expect, test } from "vitest";
import { temporaryFolder } from "../../service/service-fixture.ts";
import { commandLine, runServiceOn } from "./operator-fixture.ts";

test("only the named quotas change, and a running service applies them", async () => {
  const folder = temporaryFolder();
  const run = await runServiceOn(folder);
  const visavis = commandLine(folder);
  const set = (...words: string[]) => visavis(["organization", "set-quotas", ...words]);
  const first = { activeSessions: 200, minutesPerSession: 120, minutesPerMonth: null, credits: null };
  const shown = async () =>
    JSON.parse((await visavis(["organization", "show"])).printed) as Record<string, unknown>;

  expect(await shown()).toMatchObject({ name: "Visavis", quotas: first, used: { activeSessions: 0 } });
  expect((await set("--credits", "40")).failure).toBeNull();
  expect((await set("--active-sessions", "1", "--minutes-per-month", "0")).failure).toBeNull();
  expect((await set("--minutes-per-month", "none")).failure).toBeNull();
  expect((await shown())["quotas"]).toEqual({ ...first, activeSessions: 1, credits: 40 });

  expect(await run.newSession()).toMatch(/^[0-9a-f]{40}$/);
  const refused = await run.send("POST", "/api/v1/session/", {
    capability: ["TTS"],
    tts_type: "visavis-slt",
  });
  expect(refused.status).toBe(403);
  expect((await shown())["used"]).toMatchObject({ activeSessions: 1 });

  expect((await set()).failure).toMatch(/at least one quota/);
  expect((await set("--credits", "many")).failure).toMatch(/^--credits is "many"; set a whole number/);
  expect((await set("--minutes-per-session", "-1")).failure).toMatch(/^--minutes-per-session is "-1"/);
  expect((await shown())["quotas"]).toEqual({ ...first, activeSessions: 1, credits: 40 });
});

test("a new organization has the default quotas, and `none` removes them", async () => {
  const folder = temporaryFolder();
  await runServiceOn(folder);
  const visavis = commandLine(folder);
  await visavis(["organization", "create", "--name", "Bakery"]);
  const show = async () =>
    JSON.parse((await visavis(["organization", "show", "--organization", "Bakery"])).printed) as unknown;
  const quotas = { activeSessions: 200, minutesPerSession: 120, minutesPerMonth: null, credits: null };
  expect(await show()).toMatchObject({ quotas });
  const none = ["--active-sessions", "none", "--minutes-per-session", "none"];
  await visavis(["organization", "set-quotas", "--organization", "Bakery", ...none]);
  expect(await show()).toMatchObject({ quotas: { activeSessions: null, minutesPerSession: null } });
});
