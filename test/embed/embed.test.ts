// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";

test("the snippet's element gets its relay also on a page that has the widget from another place", async () => {
  const widget = vi.spyOn(customElements, "get").mockReturnValue(HTMLElement);
  const tag = document.createElement("script");
  // This window loads no scripts.
  tag.type = "text/plain";
  tag.src = "https://relay.example/embed.js";
  tag.dataset["context"] = "ctx_elsewhere";
  document.body.append(tag);
  onTestFinished(() => {
    self.Visavis?.remove();
    tag.remove();
    widget.mockRestore();
  });
  await import("../../src/embed/embed.ts");
  expect(document.querySelector("[context-id=ctx_elsewhere]")?.outerHTML).toBe(
    '<visavis-avatar context-id="ctx_elsewhere" relay="https://relay.example"></visavis-avatar>',
  );
});
