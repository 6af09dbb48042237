// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { standIn } from "../../src/embed/stand-in.ts";

test("an element answers to its contract before the widget is there", () => {
  const element = document.createElement("visavis-avatar");
  standIn(element, () => Promise.resolve());
  expect(element).toMatchObject({
    state: "idle",
    activity: "idle",
    sessionId: null,
    transcript: [],
    volume: 1,
  });
});

test("methods called early load the widget first, then act in the order of the calls", async () => {
  const element = document.createElement("visavis-avatar") as HTMLElement as HTMLElement &
    Record<string, unknown>;
  const calls: unknown[][] = [];
  let arrive: () => void = () => undefined;
  const loaded = new Promise<void>((resolve) => (arrive = resolve));
  standIn(element, () => loaded);
  const call = (name: string, ...given: unknown[]) =>
    (element[name] as (...given: unknown[]) => Promise<unknown>)(...given);
  const sent = [call("open"), call("send", "Hello"), call("setVariables", { a: 1 })];
  for (const name of ["open", "send", "setVariables"]) {
    element[name] = (...given: unknown[]) => {
      calls.push([name, ...given]);
      return name === "send" ? Promise.resolve("sent") : undefined;
    };
  }
  expect(calls).toEqual([]);
  arrive();
  expect(await Promise.all(sent)).toEqual([undefined, "sent", undefined]);
  expect(calls).toEqual([["open"], ["send", "Hello"], ["setVariables", { a: 1 }]]);
});
