import { expect, test } from "vitest";
import { runCommand, type CommandedElement } from "../../src/viewer/run-command.ts";
import { viewerCommandSchema } from "../../src/protocol/page/viewer-message.ts";

function recordingElement() {
  const calls: unknown[][] = [];
  const element = new Proxy({} as CommandedElement, {
    get:
      (_, name) =>
      (...given: unknown[]) => {
        calls.push([name, ...given]);
        return name === "start" ? Promise.reject(new Error("no media")) : undefined;
      },
  });
  const run = (command: string, ...args: unknown[]) =>
    runCommand(element, viewerCommandSchema.parse({ target: "visavis", command, args }));
  return { calls, run };
}

test("commands reach the element with their arguments", () => {
  const { calls, run } = recordingElement();
  run("open", "ignored");
  run("send", "Hello");
  run("setVariables", { plan: "basic" });
  expect(calls).toEqual([["open"], ["send", "Hello"], ["setVariables", { plan: "basic" }]]);
});

test("wrong arguments are ignored, and a failure is reported only by the element's event", async () => {
  const { calls, run } = recordingElement();
  run("send", { toString: "x" });
  run("say");
  run("setVariables", { nested: { deep: true } });
  run("start");
  await Promise.resolve();
  expect(calls).toEqual([["start"]]);
});
