// @vitest-environment happy-dom
import { render } from "lit";
import { expect, test, vi } from "vitest";
import { composer } from "../../../src/widget/transcript/composer.ts";

test("an empty field begins where the panel's language begins, and a text where its own does", () => {
  const root = document.createElement("div");
  const show = (draft: string) => {
    const props = { t: String, draft, changeDraft: vi.fn(), send: vi.fn(), canType: true };
    render(composer({ ...props, attach: null, close: null, fieldName: null, talk: null }), root);
    return root.querySelector("textarea")?.getAttribute("dir");
  };
  expect(show("")).toBeNull();
  expect(show("Chairs")).toBe("auto");
});
