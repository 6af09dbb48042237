import { expect, test } from "vitest";
import { runService } from "../../service-fixture.ts";
import type { RunningService } from "../../service-fixture.ts";

const visitorSession = (run: RunningService) => run.newSession({ extra_data: { context_id: "ctx_demo" } });

const switchOff = (run: RunningService) =>
  run.store.contexts.replace(
    run.organizationId,
    run.demo.id,
    { ...run.demo, is_active: false },
    run.demo.updatedAtMs + 1,
  );

const remove = (run: RunningService) => run.store.contexts.remove(run.organizationId, run.demo.id);

test.each([
  ["switched off", switchOff],
  ["removed", remove],
])("a context that is %s ends its live sessions, whether or not their clients call", async (_, revoke) => {
  const run = await runService();
  const session = await visitorSession(run);
  const other = await run.newSession({ capability: ["TTS"], tts_type: "visavis-slt" });
  expect(await run.service.sweep()).toBe(0);
  await revoke(run);
  expect(await run.service.sweep()).toBe(1);
  expect(await run.status(session)).toMatchObject({ termination_reason: "GRACEFUL_TERMINATION" });
  expect((await run.status(other)).status).toBe("CREATED");
  expect(run.media.closed).toEqual([session]);
});

test("a change that keeps the context active ends no session", async () => {
  const run = await runService();
  await visitorSession(run);
  const { demo, organizationId } = run;
  await run.store.contexts.replace(
    organizationId,
    demo.id,
    { ...demo, greeting: "Hello" },
    demo.updatedAtMs + 1,
  );
  expect(await run.service.sweep()).toBe(0);
});
