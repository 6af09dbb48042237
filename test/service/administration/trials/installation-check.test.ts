/** What `visavis check` finds, with the relay and the service in one process. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EmbedContextPut } from "../../../../src/protocol/settings/embed-context.ts";
import {
  checkInstallation,
  type CheckParts,
} from "../../../../src/service/administration/trials/installation-check.ts";
import { createRetrievalResponder } from "../../../../src/service/language/engines/retrieval/retrieval-engine.ts";
import type { SpeechSynthesizer } from "../../../../src/service/speech/speech-synthesizer.ts";
import { openFolderFiles } from "../../../../src/service/store/files/folder-files.ts";
import { publicUrl, runRelay, shop } from "../../../relay/relay-fixture.ts";
import { quietEngines, quietSynthesizer, temporaryFolder } from "../../service-fixture.ts";

const turn = { urls: ["turn:turn.example"], secret: "secret", ttlSec: 60 };

/** A voice that can be heard. */
const humming: SpeechSynthesizer = {
  ...quietSynthesizer,
  async synthesize(request) {
    const speech = await quietSynthesizer.synthesize(request);
    return { ...speech, pcm: speech.pcm.map((_, at) => (at % 40 < 20 ? 8_000 : -8_000)) };
  },
};

interface Check {
  origin?: string;
  parts?: Partial<CheckParts>;
  change?: (context: EmbedContextPut) => void;
}

/** What is found of the demo context, as the command prints it. */
async function check({ origin, parts = {}, change = () => undefined }: Check = {}): Promise<string> {
  const relay = await runRelay();
  await relay.changeContext(change);
  const { store, organizationId, demo, nowMs } = relay.running;
  const given: CheckParts = {
    ...{ store, organizationId, publicUrl, nowMs: nowMs(), ice: { servers: [] } },
    files: openFolderFiles(join(temporaryFolder(), "files")),
    engines: { ...quietEngines(createRetrievalResponder()), synthesizer: () => humming },
    turnProbe: (servers) => Promise.resolve(servers.map(() => true)),
    fetch: (address, init) => relay.request(new URL(address as string).pathname, init),
    ...parts,
  };
  const contexts = [(await store.contexts.byContextId(organizationId, demo.contextId))!];
  const lines: string[] = [];
  for await (const { part, outcome, detail, remedy } of checkInstallation(given, { contexts, origin }))
    lines.push(`${outcome} ${part}: ${detail} ${remedy ?? ""}`);
  return lines.join("\n");
}

test("each part of a running installation is reported to work", async () => {
  const found = await check({ origin: shop });
  expect(found).toMatch(/^ok address: https:\/\/relay\.example answered in/m);
  expect(found).toMatch(/^ok storage: Database and files answered/m);
  expect(found).toMatch(/^warning TURN: No TURN server is set\. .*VISAVIS_TURN_URLS/m);
  expect(found).toMatch(/^ok origin ctx_demo: Pages of https:\/\/shop\.example may use it/m);
  expect(found).toMatch(/^ok model visavis-retrieval: It answered in/m);
  expect(found).toMatch(/^ok voice visavis-slt: It spoke \d\.\d s of sound/m);
  expect(found).toMatch(/^ok recognizer: None is set/m);
  expect(found).not.toMatch(/^failed/m);
});

test("a forbidden origin and TURN servers that do not answer fail, with what to do", async () => {
  const silent = await check({
    origin: "https://other.example",
    parts: { ice: { servers: [], turn }, turnProbe: () => Promise.resolve([false]) },
  });
  expect(silent).toMatch(/^failed TURN: turn:turn\.example gave no relay address\./m);
  expect(silent).toMatch(
    /^failed origin ctx_demo: .* Add "https:\/\/other\.example" to embed_config\.allowed_origins/m,
  );
  expect(await check({ parts: { ice: { servers: [], turn } } })).toMatch(
    /^ok TURN: turn:turn\.example relays\./m,
  );
});

test("nothing that answers at the public address fails, and its origins are not asked", async () => {
  const nothing = () => Promise.reject(new TypeError("fetch failed"));
  const found = await check({ origin: shop, parts: { fetch: nothing } });
  expect(found).toMatch(/^failed address: .* does not answer: .*VISAVIS_PUBLIC_URL/m);
  expect(found).toMatch(/^failed origin ctx_demo: It was not asked/m);
});

test("a model that does not take the files that visitors may attach is told of", async () => {
  const found = await check({
    change: ({ embed_config }) => void (embed_config.attachments = ["image", "pdf"]),
  });
  expect(found).toMatch(
    /^warning attachments ctx_demo: .* pictures and PDFs, which the model "visavis-retrieval" does not take\./m,
  );
});

test("settings without an effect are told of, with what was probably meant", async () => {
  const found = await check({
    change: ({ embed_config }) => void Object.assign(embed_config, { theme: "dark", prefetch: "never" }),
  });
  expect(found).toMatch(
    /^warning settings ctx_demo: embed_config\.prefetch: Allowed here: intent, idle\. .*Did you mean "ui\.theme"\?/m,
  );
});
