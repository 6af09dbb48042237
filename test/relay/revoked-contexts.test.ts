import { expect } from "vitest";
import {
  failure,
  type OpenSession,
  runRelay,
  shop,
  type RunningRelay,
  relayTest as test,
} from "./relay-fixture.ts";
import { mappedContexts, serviceInProcess } from "../../src/relay/index.ts";
import { apiKey } from "../service/service-fixture.ts";

const changes: [string, (relay: RunningRelay) => Promise<unknown>][] = [
  ["is switched off", (relay) => relay.changeContext((context) => (context.is_active = false))],
  [
    "loses the origin",
    (relay) =>
      relay.changeContext((context) => (context.embed_config.allowed_origins = ["https://other.example"])),
  ],
  [
    "is deleted",
    async (relay) => {
      await relay.running.store.contexts.remove(relay.running.organizationId, relay.running.demo.id);
      relay.pass(3);
    },
  ],
];

async function open(relay: RunningRelay): Promise<OpenSession & { beat(): Promise<Response> }> {
  const session = await relay.open();
  await session.event("SESSION_START");
  return { ...session, beat: () => session.event("SESSION_DURING") };
}

test.each(changes)("a context that %s ends its live sessions at their next heartbeat", async (_, change) => {
  const relay = await runRelay({ limits: { livePerContext: 1 } });
  const { id, get, beat } = await open(relay);
  expect(await (await beat()).json()).toMatchObject({ terminate: false });
  await change(relay);
  const answer = await beat();
  expect(answer.status).toBe(201);
  expect(await answer.json()).toMatchObject({
    terminate: true,
    terminate_reason: "SESSION_EVENT_GRACEFUL_TERMINATION",
    detail: expect.stringMatching(/^Ended by the relay: /) as string,
  });
  expect(answer.headers.get("x-visavis-token")).toBeNull();
  expect((await relay.running.status(id)).status).toBe("TERMINATED");
  expect(await (await beat()).json()).toMatchObject({ terminate: true });
  expect((await get()).ok).toBe(false);
});

test("every other request of such a session is refused and ends it too", async ({ relay }) => {
  const { id, post } = await open(relay);
  await relay.changeContext((context) => (context.is_active = false));
  expect(await failure(await post("tts", { text: "Hello." }))).toBe("403 context_inactive");
  expect((await relay.running.status(id)).status).toBe("TERMINATED");
});

test("sessions continue while the service cannot return their context", async () => {
  let isAway = false;
  const relay: RunningRelay = await runRelay({
    service: (path, init) =>
      isAway && path.startsWith("/api/console/")
        ? Promise.reject(new Error("away"))
        : serviceInProcess(relay.running.service.app, apiKey)(path, init),
  });
  const { beat } = await open(relay);
  isAway = true;
  for (let count = 0; count < 80; count += 1) {
    relay.pass(10);
    expect(await (await beat()).json()).toMatchObject({ terminate: false });
    if (count % 20 === 0) expect((await relay.get("/embed/v1/contexts/ctx_demo")).ok).toBe(count < 60);
  }
});

test("the same holds for contexts that are found by UUID", async () => {
  const uuids = new Map<string, string>();
  const relay: RunningRelay = await runRelay({
    contexts: mappedContexts(
      (path, init) => serviceInProcess(relay.running.service.app, apiKey)(path, init),
      uuids,
    ),
  });
  uuids.set("ctx_demo", relay.running.demo.id);
  const { beat } = await open(relay);
  await relay.changeContext((context) => (context.embed_config.allowed_origins = [`${shop}:444`]));
  expect(await (await beat()).json()).toMatchObject({ terminate: true });
});
