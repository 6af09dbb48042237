// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { drawLauncher, make } from "../../src/embed/launcher-view.ts";

const record = {
  title: "Talk with <b>Mara</b>",
  subtitle: "AI assistant",
  offline: "You’re offline.",
  variant: "bubble",
  placement: "bottom-right",
  theme: "auto",
  styles: "",
  still: "data:image/webp;base64,AAAA",
  picture: "/characters/mina-porthole.webp",
  widget: "/assets/widget.js",
};

test("the launcher has the parts that the widget looks for, and its words are plain text", () => {
  const box = make("div", { class: "vv-launch" });
  const [button] = drawLauncher(box, record);
  expect(box.querySelector(".vv-launcher")).toBe(button);
  expect(button.getAttribute("part")).toBe("launcher-button");
  expect(box.querySelector(".vv-label")?.id).toBe(button.getAttribute("aria-labelledby"));
  expect(button.querySelector(".vv-window img")?.getAttribute("src")).toBe(record.still);
  expect(box.querySelector(".vv-label b")?.textContent).toBe(record.title);
  expect(box.querySelector(".vv-label b b")).toBeNull();
  expect(box.querySelector("[style]")).toBeNull();
});

test.each([
  { still: record.still, picture: record.picture, shown: record.still },
  { still: null, picture: record.picture, shown: record.picture },
  { still: null, picture: "", shown: undefined },
])("a record with still $still and picture $picture shows $shown", ({ shown, ...pictures }) => {
  const box = make("div", { class: "vv-launch" });
  drawLauncher(box, { ...record, ...pictures });
  expect(box.querySelector("img")?.getAttribute("src")).toBe(shown);
});
