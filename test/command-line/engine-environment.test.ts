import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { engineEnvironment } from "../../src/command-line/engines.ts";
import { temporaryFolder } from "../service/service-fixture.ts";

test("what was installed into the data folder is used", () => {
  const data = temporaryFolder();
  mkdirSync(join(data, "sherpa/node_modules"), { recursive: true });
  mkdirSync(join(data, "models/silero-vad"), { recursive: true });
  const file = join(data, "models/silero-vad/silero_vad.onnx");
  expect(engineEnvironment({}, data)["VISAVIS_VAD_MODEL"]).toBeUndefined();
  writeFileSync(file, "");
  expect(engineEnvironment({ PATH: "/bin" }, data)).toEqual({
    PATH: "/bin",
    VISAVIS_SHERPA_PATH: join(data, "sherpa"),
    VISAVIS_VAD_MODEL: file,
  });
});

test("places that the environment names take precedence", () => {
  const data = temporaryFolder();
  mkdirSync(join(data, "sherpa/node_modules"), { recursive: true });
  const own = { VISAVIS_SHERPA_PATH: "/opt/sherpa", VISAVIS_VAD_MODEL: "/models/vad.onnx" };
  expect(engineEnvironment(own, data)).toEqual(own);
});
