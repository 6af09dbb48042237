import { expect, it } from "vitest";
import { isDark, ownerRules } from "../../../src/widget/settings/theme.ts";

it("is dark by attribute, then owner, then system", () => {
  expect(isDark("light", "dark", true)).toBe(false);
  expect(isDark(null, "dark", false)).toBe(true);
  expect(isDark("auto", "dark", false)).toBe(false);
  expect(isDark(null, undefined, true)).toBe(true);
});

it("turns the owner's theme into rules", () => {
  expect(ownerRules({ brand_color: "#B4235A", radius: 12 })).toBe(
    ":host{--visavis-brand:#B4235A;--visavis-radius-panel:12px}",
  );
  expect(ownerRules({})).toBe("");
});
