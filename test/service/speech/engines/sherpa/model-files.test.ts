import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { missingFiles } from "../../../../../src/service/speech/engines/sherpa/sherpa-program.ts";
import { temporaryFolder } from "../../../service-fixture.ts";

test("missing files of a configuration are reported with their fields", () => {
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
