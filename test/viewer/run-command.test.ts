import { expect, test } from "vitest";
import { runCommand, type CommandedElement } from "../../src/viewer/run-command.ts";
import { viewerCommandSchema } from "../../src/protocol/viewer-message.ts";

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

test("commands reach the element with the arguments that they take", () => {
  const { calls, run } = recordingElement();
  run("open", "ignored");
  run("send", "Hello");
  run("setVariables", { plan: "basic" });
  expect(calls).toEqual([["open"], ["send", "Hello"], ["setVariables", { plan: "basic" }]]);
});

test("arguments that do not fit are ignored, and a failure stays the element's own event", async () => {
  const { calls, run } = recordingElement();
  run("send", { toString: "x" });
  run("say");
  run("setVariables", { nested: { deep: true } });
  run("start");
  await Promise.resolve();
  expect(calls).toEqual([["start"]]);
});
