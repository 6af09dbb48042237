import { expect, it } from "vitest";
import { chooseDemoRecognizer } from "../../../../src/service/store/seed/demo-recognizer.ts";
import type { CatalogueRow } from "../../../../src/service/store/store.ts";
import { runService, type RunningService } from "../../service-fixture.ts";

const clock = { nowMs: () => 1 };

/** What the demo contexts name after a start of a machine with these recognizers. */
async function chosen({ store }: RunningService, ...installed: string[]): Promise<unknown[]> {
  const recognizer = ({ id }: CatalogueRow<"stt_type">) => (installed.includes(id) ? {} : null);
  await chooseDemoRecognizer({ store, clock, recognizer });
  const organization = await store.organizations.first();
  const contexts = await store.contexts.list(organization!.id);
  return [...new Set(contexts.map(({ config }) => config.stt_type))];
}

async function add({ store }: RunningService, id: string, engine: Record<string, unknown>): Promise<void> {
  const body = { name: id, service: "onpremise", options: null } as const;
  await store.catalogue.put({
    ...{ kind: "stt_type", id, name: id, organizationId: null, createdAtMs: 0 },
    body,
    engine,
  });
}

it("is the one that is installed, and stays when the owner has chosen", async () => {
  const run = await runService();
  expect(await chosen(run)).toEqual([undefined]);
  expect(await chosen(run, "pocketsphinx")).toEqual(["pocketsphinx"]);
  await add(run, "own-model", { type: "sherpa-onnx", config: {} });
  expect(await chosen(run, "pocketsphinx", "own-model")).toEqual(["pocketsphinx"]);
});

it("is an English one that the operator has added, rather than the built-in entry, and never a remote one", async () => {
  const run = await runService();
  await add(run, "korean", { type: "sherpa-onnx", config: {}, locale: "ko-KR" });
  await add(run, "remote", { type: "openai", url: "https://speech.example/v1" });
  await add(run, "own-model", { type: "sherpa-onnx", config: {}, locale: "en-US" });
  expect(await chosen(run, "korean", "remote", "own-model", "pocketsphinx")).toEqual(["own-model"]);
});
