// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { standIn } from "../../src/embed/stand-in.ts";

test("the element has the members of its contract before the widget is loaded", () => {
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

test("methods that are called early load the widget first, then run in the order of the calls", async () => {
  const element = document.createElement("visavis-avatar") as HTMLElement as HTMLElement &
    Record<string, unknown>;
  document.body.append(element);
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

test("a call on an element that is removed before the widget is there does nothing", async () => {
  const element = document.createElement("visavis-avatar") as HTMLElement & { start(): Promise<unknown> };
  standIn(element, () => Promise.resolve());
  expect(await element.start()).toBeFalsy();
});
