import { describe, expect, test } from "vitest";
import { changedPaths, merged, valueAt, withValue } from "../../../src/console/editor/settings-path.ts";

const saved = {
  name: "Shop",
  embed_config: { ui: { owner_name: "Alder", suggestions: ["A"] }, llm_type: "x" },
};

describe("a path in settings", () => {
  test("reads a value, and nothing where the tree has no such branch", () => {
    expect(valueAt(saved, "embed_config.ui.owner_name")).toBe("Alder");
    expect(valueAt(saved, "embed_config.stage.padding_top")).toBeUndefined();
    expect(valueAt(saved, "name.length")).toBeUndefined();
  });

  test("writes a value without changing the original", () => {
    const changed = withValue(saved, "embed_config.stage.padding_top", 0.2);
    expect(valueAt(changed, "embed_config.stage.padding_top")).toBe(0.2);
    expect(valueAt(saved, "embed_config.stage")).toBeUndefined();
  });

  test("removes a value with what is empty after it", () => {
    const one = withValue(saved, "embed_config.voice.rate", 1.2);
    expect(withValue(one, "embed_config.voice.rate", undefined)).toEqual(saved);
  });
});

describe("changes", () => {
  test("are named by their paths; a list is one value", () => {
    const changed = withValue(withValue(saved, "name", "Other"), "embed_config.ui.suggestions", ["A", "B"]);
    expect(changedPaths(saved, changed).sort()).toEqual(["embed_config.ui.suggestions", "name"]);
  });

  test("an empty group is no change", () => {
    expect(changedPaths(saved, { ...saved, embed_config: { ...saved.embed_config, voice: {} } })).toEqual([]);
  });

  test("of two editors are merged: mine on top of theirs", () => {
    const mine = withValue(saved, "name", "Mine");
    const theirs = withValue(withValue(saved, "embed_config.llm_type", "theirs"), "name", "Theirs");
    const both = merged(saved, mine, theirs);
    expect([valueAt(both, "name"), valueAt(both, "embed_config.llm_type")]).toEqual(["Mine", "theirs"]);
  });

  test("something that I removed stays removed", () => {
    const mine = withValue(saved, "embed_config.ui.owner_name", undefined);
    expect(valueAt(merged(saved, mine, saved), "embed_config.ui.owner_name")).toBeUndefined();
  });
});
