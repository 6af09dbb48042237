import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { missingFiles } from "../../../src/service/speech/model-files.ts";
import { temporaryFolder } from "../service-fixture.ts";

test("files that a configuration names and that are not there are told by their fields", () => {
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
