import { expect, test } from "vitest";
import { purposeSecret, storeSecretBox } from "../../../src/command-line/secrets/secrets.ts";
import { temporaryFolder } from "../../service/service-fixture.ts";

const [first, second] = ["ab".repeat(32), "cd".repeat(32)];

test("data that was encrypted with the data folder's own secret can be read after a shared secret is set", () => {
  const dataFolder = temporaryFolder();
  const own = { secret: undefined, oldSecrets: [], dataFolder };
  const sealed = storeSecretBox(own).seal("text", ["a"]);
  expect(storeSecretBox(own).open(sealed, ["a"])).toBe("text");
  const shared = storeSecretBox({ ...own, secret: first });
  expect(shared.open(sealed, ["a"])).toBe("text");
  expect(shared.isCurrent(sealed)).toBe(false);
});

test("former secrets decrypt their old data, and are not used for new data", () => {
  const dataFolder = temporaryFolder();
  const before = storeSecretBox({ secret: first, oldSecrets: [], dataFolder });
  const after = storeSecretBox({ secret: second, oldSecrets: [first], dataFolder });
  const sealed = before.seal("text", ["a"]);
  expect(after.open(sealed, ["a"])).toBe("text");
  expect(() => before.open(after.seal("text", ["a"]), ["a"])).toThrow(/VISAVIS_OLD_SECRETS/);
  expect(() => after.open(sealed, ["b"])).toThrow(/moved to another entry/);
});

test("the store's secret differs from all other secrets", () => {
  const settings = { secret: first, dataFolder: temporaryFolder() };
  const secrets = (["token", "service", "relay", "store"] as const).map((purpose) =>
    purposeSecret(settings, purpose),
  );
  expect(new Set(secrets).size).toBe(4);
});
