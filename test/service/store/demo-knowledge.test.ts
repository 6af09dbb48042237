import { beforeEach, expect, onTestFinished, test } from "vitest";
import { alderHome } from "../../../src/command-line/alder-home.ts";
import { readDocument } from "../../../src/service/sessions/documents.ts";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { seed } from "../../../src/service/store/seed/seed.ts";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { temporaryFolder } from "../service-fixture.ts";

const clock = { nowMs: () => 5 };
let store: Store;
let read: () => ReturnType<typeof readDocument>;

beforeEach(() => {
  const folder = temporaryFolder();
  store = openSqliteStore(folder);
  onTestFinished(() => store.close());
  read = async () => {
    const parts = { store, files: openFolderFiles(folder) };
    return readDocument(parts, (await store.organizations.first())!.id, "visavis-demo-shop");
  };
});

test("the demo's avatars know the shop from a document that is not the owner's", async () => {
  await seed({ store, clock, ...alderHome });
  await seed({ store, clock, ...alderHome });
  const organization = (await store.organizations.first())?.id ?? "";
  const contexts = await store.contexts.list(organization);
  expect(contexts).toHaveLength(4);
  for (const { config, instructions } of contexts) {
    expect(config.documents).toEqual(["visavis-demo-shop"]);
    // Facts in instructions are never said.
    expect(instructions).not.toMatch(/\d/);
  }
  expect(await read()).toEqual({ id: "visavis-demo-shop", ...alderHome.demoKnowledge });
  const own = (await store.catalogue.rows("document", organization)).filter(({ isShared }) => !isShared);
  expect(own).toEqual([]);
});

test("demo avatars of an older version, whose instructions were their knowledge, get the document once; changed ones stay", async () => {
  const { text } = alderHome.demoKnowledge;
  await seed({ store, clock, demoInstructions: text });
  const organization = (await store.organizations.first())?.id ?? "";
  const [mara, tomas, amara] = await store.contexts.list(organization);
  if (!mara || !tomas || !amara) throw new Error("The demo is not there.");
  const change = (context: typeof mara, changed: object) =>
    store.contexts.replace(organization, context.id, { ...context, ...changed }, 6);
  const greeting = "Good day!";
  await change(mara, { greeting });
  await change(tomas, { instructions: `${text}\nThe Oslo lamp costs 90 euros.` });
  await change(amara, { embed_config: { documents: ["own"] } });
  await seed({ store, clock, ...alderHome });
  await seed({ store, clock, ...alderHome });
  const { demoInstructions } = alderHome;
  const documents = ["visavis-demo-shop"];
  expect(await store.contexts.list(organization)).toMatchObject([
    { greeting, instructions: demoInstructions, config: { documents }, revision: 3 },
    { instructions: expect.stringContaining("The Oslo lamp") as string, revision: 2 },
    { instructions: text, config: { documents: ["own"] }, revision: 2 },
    { instructions: demoInstructions, config: { documents, ui: { avatar_name: "Ingrid" } }, revision: 2 },
  ]);
  expect(await read()).toEqual({ id: "visavis-demo-shop", ...alderHome.demoKnowledge });
});
