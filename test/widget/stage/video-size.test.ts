import { expect, it } from "vitest";
import { wantedSize } from "../../../src/widget/stage/picture-controller.ts";

it("requests a video size that fits its content, up to a maximum", () => {
  const frame = { width: 364, height: 424, avatarHeight: 440 };
  expect(wantedSize("packed-alpha", frame, 2)).toEqual({ width: 880, height: 880 });
  expect(wantedSize("none", { ...frame, width: 1920, height: 1080 }, 2)).toEqual({
    width: 1024,
    height: 576,
  });
});
