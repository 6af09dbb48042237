import { expect } from "vitest";
import type { ContextPages } from "../../../src/protocol/console/avatars.ts";
import type { ServiceCall } from "../../../src/relay/index.ts";
import { PageReports } from "../../../src/relay/contexts/page-reports.ts";
import { silentLog } from "../../service/service-fixture.ts";
import { relayTest as test, type RunningRelay, shop } from "../relay-fixture.ts";

const launcher = "/embed/v1/contexts/ctx_demo/launcher";

async function pagesOf({ running }: RunningRelay): Promise<ContextPages> {
  const response = await running.get(`/api/console/contexts/${running.demo.id}/pages/`);
  return (await response.json()) as ContextPages;
}

test("the first load of a page that may show the avatar reaches its owner, with site and time", async ({
  relay,
}) => {
  expect(await pagesOf(relay)).toEqual({ arrived: null, allowed: [], refused: [] });
  await relay.get(launcher);
  await expect
    .poll(async () => (await pagesOf(relay)).arrived)
    .toEqual({
      origin: shop,
      at: "2026-01-01T00:00:03.000Z",
    });
  relay.pass(600);
  await relay.get(launcher);
  await expect
    .poll(async () => (await pagesOf(relay)).allowed[0]?.last_seen_at)
    .toBe("2026-01-01T00:10:03.000Z");
  expect((await pagesOf(relay)).arrived?.at).toBe("2026-01-01T00:00:03.000Z");
});

test("a page that is not allowed is shown as refused until the list has it; the relay's own pages do not count", async ({
  relay,
}) => {
  await relay.get(launcher, { origin: "https://other.example" });
  await relay.get(launcher, { origin: "https://relay.example" });
  await expect
    .poll(async () => (await pagesOf(relay)).refused.map(({ origin }) => origin))
    .toEqual(["https://other.example"]);
  expect(await pagesOf(relay)).toMatchObject({ arrived: null, allowed: [] });
  await relay.changeContext((context) => {
    context.embed_config.allowed_origins = ["https://other.example"];
  });
  expect(await pagesOf(relay)).toMatchObject({
    arrived: null,
    allowed: [{ origin: "https://other.example", was_allowed: false }],
    refused: [],
  });
});

test("the page around an iframe counts as the page", async ({ relay }) => {
  await relay.get(`/embed/v1/contexts/ctx_demo/parent?origin=${encodeURIComponent(shop)}`);
  await expect.poll(async () => (await pagesOf(relay)).arrived?.origin).toBe(shop);
});

function reports(answer: () => Promise<Response>) {
  let nowMs = 0;
  const sent: string[] = [];
  const service: ServiceCall = (path, init) => {
    sent.push(`${path} ${init?.body as string}`);
    return answer();
  };
  const made = new PageReports({ service, clock: { now: () => nowMs }, log: silentLog });
  const note = async (origin: string, allowed = true) => {
    made.note({ id: "u", context_id: "ctx" } as never, origin, allowed);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { sent, note, pass: (ms: number) => void (nowMs += ms) };
}

const noted = () => Promise.resolve(new Response(null, { status: 204 }));

test("a page is reported once in five minutes, and invented refused ones thirty times a minute at most", async () => {
  const { sent, note, pass } = reports(noted);
  for (let load = 0; load < 5; load += 1) await note(shop);
  expect(sent).toEqual([`/api/console/contexts/u/pages/ {"origin":"${shop}","allowed":true}`]);
  pass(5 * 60_000);
  await note(shop);
  expect(sent).toHaveLength(2);
  for (let site = 0; site < 50; site += 1) await note(`https://${site}.example`, false);
  expect(sent).toHaveLength(32);
});

test("a failed report is tried again, a service without the operation is left alone for an hour", async () => {
  const failing = reports(() => Promise.reject(new Error("down")));
  await failing.note(shop);
  await failing.note(shop);
  expect(failing.sent).toHaveLength(1);
  failing.pass(30_000);
  await failing.note(shop);
  expect(failing.sent).toHaveLength(2);
  const foreign = reports(() => Promise.resolve(new Response("{}", { status: 404 })));
  await foreign.note(shop);
  await foreign.note("https://second.example");
  foreign.pass(60 * 60_000);
  await foreign.note("https://third.example");
  expect(foreign.sent).toHaveLength(2);
});
