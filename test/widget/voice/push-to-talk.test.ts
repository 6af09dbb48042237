import { expect, it } from "vitest";
import { afterTouch, notPressed, type Press, type Touch } from "../../../src/widget/voice/talk-controller.ts";

/** The commands that touches at these times give, and how the button is then. */
function touched(...touches: [Touch, number][]): { commands: unknown[]; press: string } {
  let press: Press = notPressed;
  const commands = touches.map(([touch, atMs]) => {
    const [next, command] = afterTouch(press, touch, atMs);
    press = next;
    return command;
  });
  return { commands, press: press.kind };
}

it.each([
  [
    "held and released: the turn is sent",
    [
      ["down", 0],
      ["up", 900],
    ],
    ["begin", "send"],
    "idle",
  ],
  [
    "moved away: it is taken back",
    [
      ["down", 0],
      ["away", 900],
    ],
    ["begin", "cancel"],
    "idle",
  ],
  [
    "pressed shortly: it goes on",
    [
      ["down", 0],
      ["up", 120],
    ],
    ["begin", null],
    "on",
  ],
  [
    "and the next press sends it",
    [
      ["down", 0],
      ["up", 120],
      ["down", 5_000],
      ["up", 5_100],
    ],
    ["begin", null, null, "send"],
    "idle",
  ],
  [
    "a repeated key changes nothing",
    [
      ["down", 0],
      ["down", 40],
      ["down", 80],
      ["up", 900],
    ],
    ["begin", null, null, "send"],
    "idle",
  ],
  [
    "without a pointer a tap begins and a tap sends",
    [
      ["tap", 0],
      ["tap", 10],
    ],
    ["begin", "send"],
    "idle",
  ],
  [
    "a release without a press changes nothing",
    [
      ["up", 0],
      ["away", 1],
    ],
    [null, null],
    "idle",
  ],
] as [string, [Touch, number][], unknown[], string][])("%s", (_name, touches, commands, press) => {
  expect(touched(...touches)).toEqual({ commands, press });
});

it("turns hands-free on by a short press where that is allowed, and talks as long as it is held", () => {
  const [pressed] = afterTouch(notPressed, "down", 0, true);
  expect(afterTouch(pressed, "up", 120, true)).toEqual([notPressed, "toggle"]);
  expect(afterTouch(pressed, "up", 900, true)).toEqual([notPressed, "send"]);
  expect(afterTouch(notPressed, "tap", 0, true)).toEqual([notPressed, "toggle"]);
});
