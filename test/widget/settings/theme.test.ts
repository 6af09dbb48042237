import { expect, it } from "vitest";
import { isDark, ownerRules } from "../../../src/widget/settings/appearance.ts";

it("is dark by attribute, then owner, then as the page is", () => {
  expect(isDark("light", "dark")).toBe(false);
  expect(isDark(null, "dark")).toBe(true);
  expect(isDark("auto", "dark")).toBeNull();
  expect(isDark(null, undefined)).toBeNull();
});

it("turns the owner's theme into rules", () => {
  expect(ownerRules({ brand_color: "#B4235A", radius: 12 })).toBe(
    ":host{--visavis-brand:#B4235A;--visavis-radius-panel:12px}",
  );
  expect(ownerRules({})).toBe("");
});
