import { execFile } from "node:child_process";
import { expect, test } from "../support/test.ts";

const minutes = 5;

test(`${minutes} minutes of visitors who ask, interrupt, lose their connection and leave: no event, answer or session is lost`, async () => {
  test.setTimeout((minutes + 10) * 60_000);
  const ended = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile("npm", ["run", "--silent", "soak", "--", String(minutes), "--busy"], (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    );
  });
  expect(ended.code, ended.output).toBe(0);
  expect(ended.output).toContain("Clean.");
});
