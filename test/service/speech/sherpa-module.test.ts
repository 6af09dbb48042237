import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGuardedFetch } from "../../../src/service/guarded-fetch.ts";
import { createRecognizers } from "../../../src/service/speech/create-recognizers.ts";
import { loadSherpa, missingFiles } from "../../../src/service/speech/sherpa-module.ts";
import { temporaryFolder } from "../service-fixture.ts";

test("a folder without sherpa-onnx has none, and rows that need it are not available", () => {
  const sherpa = loadSherpa("/nowhere");
  expect(sherpa).toBeNull();
  const recognizers = createRecognizers({ fetch: createGuardedFetch(), sherpa, env: {} });
  const engine = { type: "sherpa-onnx", config: {} };
  const body = { name: "s", service: "onpremise" as const, options: null };
  expect(recognizers.of({ id: "s", name: "s", body, engine })).toBeNull();
});

test("a configuration is taken only when the files of its model are there", () => {
  const folder = temporaryFolder();
  const config = {
    modelConfig: {
      whisper: { encoder: join(folder, "encoder.onnx") },
      tokens: join(folder, "tokens.txt"),
      numThreads: 2,
    },
  };
  const missing = () => missingFiles(config).map(({ field }) => field);
  expect(missing()).toEqual(["modelConfig.whisper.encoder", "modelConfig.tokens"]);
  writeFileSync(join(folder, "encoder.onnx"), "");
  expect(missing()).toEqual(["modelConfig.tokens"]);
  writeFileSync(join(folder, "tokens.txt"), "");
  expect(missing()).toEqual([]);
  const [rule, other] = [join(folder, "tokens.txt"), join(folder, "other.fst")];
  expect(missingFiles({ ruleFsts: `${rule},${other}` })).toEqual([{ field: "ruleFsts", path: other }]);
});

const installed = loadSherpa(process.env["VISAVIS_SHERPA_PATH"]);

test.skipIf(installed === null)("sherpa-onnx has what is called of it", () => {
  expect(installed!.OfflineRecognizer.createAsync).toBeTypeOf("function");
  expect(installed!.OfflineTts.createAsync).toBeTypeOf("function");
});
