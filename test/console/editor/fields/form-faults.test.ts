import { describe, expect, test } from "vitest";
import { faultAt, faultsOf, previewable } from "../../../../src/console/editor/fields/form-fields.ts";
import { withValue } from "../../../../src/console/editor/settings-path.ts";
import { embedContextPutSchema } from "../../../../src/protocol/settings/embed-context.ts";

const saved = embedContextPutSchema.parse({ name: "Shop", tts_type: "visavis-slt", model_style: "mina" });

const faultFor = (path: string, value: unknown) => faultAt(faultsOf(withValue(saved, path, value)), path);

describe("faults of a form", () => {
  test("a form that can be saved has none", () => {
    expect(faultsOf(saved).size).toBe(0);
  });

  test.each([
    ["name", "", { code: "required" }],
    ["name", "x".repeat(201), { code: "too_long", limit: 200 }],
    ["embed_config.ui.brand_color", "red", { code: "form" }],
    ["embed_config.ui.privacy_url", "http://shop.example", { code: "form" }],
    ["embed_config.voice.rate", 3, { code: "at_most", limit: 2 }],
    ["embed_config.voice.pause_ms", 50, { code: "at_least", limit: 200 }],
    ["embed_config.ui.suggestions", ["1", "2", "3", "4", "5", "6", "7"], { code: "too_many", limit: 6 }],
  ])("%s: %j", (path, value, fault) => {
    expect(faultFor(path, value)).toEqual(fault);
  });

  test("a fault in a list belongs to its field", () => {
    expect(faultFor("embed_config.allowed_origins", ["https://shop.example", "shop"])).toEqual({
      code: "form",
    });
  });
});

describe("what the preview gets", () => {
  test("has the new values, but for those with a fault", () => {
    const wrong = withValue(withValue(saved, "name", ""), "embed_config.ui.suggestions", ["", "B"]);
    const typed = withValue(wrong, "greeting", "Hello");
    const shown = previewable(typed, saved, faultsOf(typed).keys());
    expect(faultsOf(shown).size).toBe(0);
    expect(shown).toMatchObject({ name: "Shop", greeting: "Hello" });
  });
});
