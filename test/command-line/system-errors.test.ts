import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFailure } from "../../src/command-line/output-errors.ts";
import { temporaryFolder } from "../service/service-fixture.ts";

function thrownBy(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}

test("a data folder that cannot be one is named, with the setting that names another", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  for (const folder of [file, join(file, "below")]) {
    const reason = startFailure(thrownBy(() => mkdirSync(folder, { recursive: false })));
    expect(reason).toContain(folder);
    expect(reason).toMatch(/Set VISAVIS_DATA to a folder that this user may read and write\.$/);
  }
});

test("a port that is taken is told with the setting that names another", async () => {
  const first = createServer().listen(0);
  await new Promise((resolve) => first.once("listening", resolve));
  const address = first.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const error = await new Promise((resolve) => createServer().on("error", resolve).listen(port));
  first.close();
  expect(startFailure(error)).toMatch(/EADDRINUSE.*\. Set PORT to a free port\.$/);
});

test("every other error says what it says", () => {
  expect(startFailure(new Error("No."))).toBe("No.");
  const refused = Object.assign(new Error("connect ECONNREFUSED"), {
    code: "ECONNREFUSED",
    syscall: "connect",
  });
  expect(startFailure(refused)).toBe("connect ECONNREFUSED");
});
