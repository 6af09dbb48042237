import { join } from "node:path";
import { expect, test } from "vitest";
import { addDocument } from "../../../src/service/sessions/documents.ts";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { runEngines, saidBy } from "../engines-fixture.ts";
import { temporaryFolder } from "../service-fixture.ts";

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const hours = days.map((day, at) => `${day}: ${at + 7}:00-${at + 13}:30`);
const text = ["# Opening hours", "", ...hours, "", "# Care", "", "Oil the table twice a year."].join("\n");
/** The opening hours of today in a zone. */
const today = (timeZone: string): string => {
  const day = new Intl.DateTimeFormat("en", { weekday: "long", timeZone }).format(new Date());
  return hours[days.indexOf(day)] ?? "";
};

test("today is the day in the time zone of the context's site, for answers and in the knowledge test", async () => {
  const folder = temporaryFolder();
  const run = await runEngines({ folder });
  const files = openFolderFiles(join(folder, "files"));
  const document = await addDocument(
    { store: run.store, files, clock: { nowMs: () => 0 } },
    { organizationId: run.organizationId, title: "Hours", text },
  );
  const { name, tts_type, model_style, id } = run.demo;
  const question = "When do you open today?";
  // 25 hours apart: never the same day.
  for (const time_zone of ["Pacific/Kiritimati", "Pacific/Niue"]) {
    const embed_config = { document, time_zone };
    const settings = { name, tts_type, model_style, embed_config };
    expect((await run.send("PUT", `/api/console/b2c/contexts/${id}/`, settings)).status).toBe(200);
    const before = today(time_zone);
    const session = await run.session({
      capability: ["LLM"],
      llm_type: "visavis-retrieval",
      prompt: id,
      extra_data: { context_id: "ctx_demo" },
    });
    const said = saidBy(await run.ask(session, question));
    const tested = await run.send("POST", "/api/console/knowledge-test/", { question, context: id });
    const { answer } = (await tested.json()) as { answer: string };
    // Midnight may have passed.
    for (const one of [said, answer]) expect([before, today(time_zone)]).toContain(one);
  }
});

test("a name that is no time zone has no effect, and its owner is told", async () => {
  const run = await runEngines();
  const { name, tts_type, model_style, id } = run.demo;
  const saved = await run.send("PUT", `/api/console/b2c/contexts/${id}/`, {
    name,
    tts_type,
    model_style,
    embed_config: { time_zone: "Atlantis/Center" },
  });
  expect(await saved.json()).toMatchObject({
    warnings: [{ attr: "embed_config.time_zone", code: "does_not_exist" }],
  });
});
