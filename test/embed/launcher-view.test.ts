// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { drawLauncher, makeBox } from "../../src/embed/launcher-view.ts";

const record = {
  title: "Talk with <b>Mara</b>",
  subtitle: "AI assistant",
  hide_label: "Hide",
  variant: "bubble",
  placement: "bottom-right",
  theme: "auto",
  brand_color: null,
  still: "data:image/webp;base64,AAAA",
  widget: "/assets/widget.js",
};

test("the launcher has the parts that the widget looks for, and its words are text", () => {
  const box = makeBox(false);
  const [button, hide] = drawLauncher(box, record);
  expect(box.querySelector(".vv-launcher")).toBe(button);
  expect(button.getAttribute("part")).toBe("launcher-button");
  expect(button.getAttribute("aria-label")).toBe(record.title);
  expect(button.getAttribute("aria-expanded")).toBe("false");
  expect(button.querySelector(".vv-window")?.getAttribute("data-ring")).toBe("idle");
  expect(button.querySelectorAll(".vv-ring rect")).toHaveLength(4);
  expect(box.querySelector(".vv-label b")?.textContent).toBe(record.title);
  expect(box.querySelector(".vv-label b b")).toBeNull();
  expect(hide.getAttribute("aria-label")).toBe("Hide");
  expect(box.querySelector("[style]")).toBeNull();
});

test("a click on the label is a click on the porthole", () => {
  const box = makeBox(false);
  const [button] = drawLauncher(box, { ...record, still: null });
  let clicks = 0;
  button.addEventListener("click", () => clicks++);
  box.querySelector<HTMLElement>(".vv-label")?.click();
  expect(clicks).toBe(1);
  expect(box.querySelector("img")).toBeNull();
});
