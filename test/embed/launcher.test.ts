// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { launch } from "../../src/embed/launcher.ts";

test("why there is no avatar reaches the page, also from an element in a shadow root", async () => {
  const refusal = { errors: [{ code: "context_not_found", detail: "There is no such avatar." }] };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(refusal, { status: 404 })));
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const host = document.createElement("div");
  document.body.append(host);
  const element = document.createElement("visavis-avatar");
  element.setAttribute("context-id", "ctx_none");
  host.attachShadow({ mode: "open" }).append(element);
  const told: unknown[] = [];
  document.addEventListener("visavis-error", (event) => told.push((event as CustomEvent).detail), {
    once: true,
  });
  await launch(element, "https://relay.example", new AbortController().signal);
  expect(told).toEqual([{ code: "context_not_found", message: "There is no such avatar." }]);
  vi.mocked(console.warn).mockClear();
});

/** An element in the page with the launcher of a relay whose widget cannot be loaded. */
async function launched(): Promise<HTMLElement> {
  const record = {
    title: "Talk with Mara",
    subtitle: "AI assistant",
    offline: "You’re offline.",
    variant: "inline",
    placement: "bottom-right",
    theme: "light",
    prefetch: "intent",
    styles: "",
    still: null,
    picture: "",
    widget: "/none.js",
  };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(record)));
  const life = new AbortController();
  const element = document.createElement("visavis-avatar");
  onTestFinished(() => {
    life.abort();
    element.remove();
    vi.unstubAllGlobals();
  });
  element.setAttribute("context-id", "ctx_1");
  document.body.append(element);
  await launch(element, "https://relay.example", life.signal);
  return element;
}

const within = (element: HTMLElement, selector: string) =>
  element.shadowRoot!.querySelector<HTMLElement>(selector)!;

test("a click on the label opens the widget like a click on the picture", async () => {
  const element = await launched();
  let clicks = 0;
  within(element, ".vv-launcher").addEventListener(
    "click",
    (event) => {
      clicks++;
      // The widget itself is not wanted here.
      event.stopImmediatePropagation();
    },
    true,
  );
  within(element, ".vv-label").click();
  expect(clicks).toBe(1);
});

test("a widget that could not be loaded is loaded again when the visitor reaches for it again", async () => {
  const element = await launched();
  const told = vi.fn();
  element.addEventListener("visavis-error", told);
  for (const times of [1, 2]) {
    within(element, ".vv-launcher").dispatchEvent(new Event("pointerenter"));
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(times));
  }
});
