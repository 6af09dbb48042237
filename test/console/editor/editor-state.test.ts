import { afterEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../src/console/api/api-error.ts";
import { EditorState, settingsOf, type EditorServer } from "../../../src/console/editor/editor-state.ts";
import type { EmbedContextAnswer } from "../../../src/protocol/settings/embed-context.ts";
import { isPlainObject } from "../../../src/service/plain-object.ts";

const context: EmbedContextAnswer = {
  id: "1",
  context_id: "ctx_1",
  name: "Shop",
  tts_type: "visavis-slt",
  model_style: "mina",
  greeting: "",
  instructions: "",
  background_image: null,
  max_session_sec: 0,
  is_active: true,
  embed_config: { ui: { owner_name: "Alder" } },
  revision: 3,
  created_at: "",
  updated_at: "",
};

const nothing = (): Promise<void> => Promise.resolve();

function edited(server: Partial<EditorServer> = {}, saved: EmbedContextAnswer = context): EditorState {
  const whole: EditorServer = {
    save: (settings, revision) => Promise.resolve({ ...context, ...settings, revision: revision + 1 }),
    draft: () => Promise.resolve(null),
    keepDraft: nothing,
    dropDraft: nothing,
    version: () => Promise.resolve(null),
    ...server,
  };
  return new EditorState(saved, whole, () => undefined);
}

afterEach(() => {
  vi.useRealTimers();
});

describe("an edited avatar", () => {
  test("knows what is not saved, and nothing after a save", async () => {
    const state = edited();
    state.set("greeting", "Hello");
    state.set("embed_config.ui.owner_name", undefined);
    expect(state.changes.sort()).toEqual(["embed_config.ui.owner_name", "greeting"]);
    expect(await state.save()).toBe(true);
    expect(state.changes).toEqual([]);
    expect(state.saved.revision).toBe(4);
  });

  test("says what of the saved settings has no effect, until it is changed", () => {
    const warnings = [
      { code: "max_value", detail: "At most 48.", attr: "embed_config.ui.radius" },
      { code: "invalid", detail: 'Did you mean "ui.theme"?', attr: "embed_config.theme" },
    ];
    const embed_config = { theme: "dark", ui: { radius: 99 } };
    const state = edited({}, { ...context, embed_config, warnings });
    expect([...state.warnings.keys()]).toEqual(["embed_config.ui.radius", "embed_config.theme"]);
    state.set("embed_config.ui.radius", 40);
    expect([...state.warnings]).toEqual([["embed_config.theme", 'Did you mean "ui.theme"?']]);
  });

  test.each([[[]], [5], ["x"], [null], [{ mine: [1] }]])(
    "with embed_config %j it can be edited, and keeps what has no field",
    async (embed_config) => {
      const state = edited({}, { ...context, embed_config });
      expect(state.settings.embed_config).toEqual(embed_config);
      state.set("embed_config.ui.owner_name", "Birch");
      expect(state.faults.size).toBe(0);
      expect(await state.save()).toBe(true);
      const kept = isPlainObject(embed_config) ? embed_config : {};
      expect(state.saved.embed_config).toEqual({ ...kept, ui: { owner_name: "Birch" } });
    },
  );

  test("is not saved while something is wrong with it", async () => {
    const save = vi.fn();
    const state = edited({ save });
    state.set("name", "");
    expect(await state.save()).toBe(false);
    expect(save).not.toHaveBeenCalled();
  });

  test("a failed save keeps the form, and says which field the server refused", async () => {
    const error = new ApiError("invalid", { fields: { tts_type: "It does not exist." } });
    const state = edited({ save: () => Promise.reject(error) });
    state.set("greeting", "Hello");
    expect(await state.save()).toBe(false);
    expect(state.value("greeting")).toBe("Hello");
    expect(state.refused.get("tts_type")).toBe("It does not exist.");
    state.set("tts_type", "other");
    expect(state.refused.size).toBe(0);
  });

  test("what is typed while the server saves is not saved yet, and stays", async () => {
    const state = edited({
      save(settings) {
        state.set("greeting", "Typed meanwhile");
        return Promise.resolve({ ...context, ...settings, revision: 4 });
      },
    });
    state.set("name", "Other");
    await state.save();
    expect(state.value("greeting")).toBe("Typed meanwhile");
    expect(state.changes).toEqual(["greeting"]);
  });

  test("another save waits for the one under way, and saves what was typed since", async () => {
    const sent: string[] = [];
    const state = edited({
      save(settings, revision) {
        sent.push(settings.name);
        return Promise.resolve({ ...context, ...settings, revision: revision + 1 });
      },
    });
    state.set("name", "First");
    const first = state.save();
    expect(state.isSaving).toBe(true);
    state.set("name", "Second");
    expect(await Promise.all([first, state.save()])).toEqual([true, true]);
    expect(sent).toEqual(["First", "Second"]);
    expect(state.isSaving).toBe(false);
    expect(state.changes).toEqual([]);
  });

  test("whoever leaves waits until a save has ended, also one that fails", async () => {
    const state = edited({ save: () => Promise.reject(new ApiError("network")) });
    await state.untilSaved();
    state.set("name", "Other");
    void state.save();
    await state.untilSaved();
    expect(state.isSaving).toBe(false);
    expect(state.changes).toEqual(["name"]);
  });
});

describe("two editors", () => {
  const theirs = { ...context, greeting: "Theirs", name: "Their shop", revision: 4 };
  const detail = { code: "conflict", detail: "", attr: null };
  const body = { type: "client_error", errors: [detail], current: theirs };

  async function conflicting(): Promise<EditorState> {
    const state = edited({ save: () => Promise.reject(new ApiError("conflict", { status: 409, body })) });
    state.set("name", "My shop");
    await state.save();
    return state;
  }

  test("a conflict shows what the other one saved, and keeps what I typed", async () => {
    const state = await conflicting();
    expect(state.theirs?.name).toBe("Their shop");
    expect(state.value("name")).toBe("My shop");
  });

  test("mine goes on top of theirs", async () => {
    const state = await conflicting();
    state.keepMine();
    expect([state.value("name"), state.value("greeting"), state.theirs]).toEqual(["My shop", "Theirs", null]);
    expect(state.changes).toEqual(["name"]);
  });

  test("theirs replaces mine", async () => {
    const state = await conflicting();
    state.takeTheirs();
    expect([state.value("name"), state.changes]).toEqual(["Their shop", []]);
  });
});

describe("drafts", () => {
  test("are kept when nothing was typed for a moment, and dropped when nothing is unsaved", () => {
    vi.useFakeTimers();
    const [keepDraft, dropDraft] = [vi.fn(nothing), vi.fn(nothing)];
    const state = edited({ keepDraft, dropDraft });
    state.set("greeting", "H");
    state.set("greeting", "He");
    vi.runAllTimers();
    expect(keepDraft.mock.calls).toEqual([[{ ...settingsOf(context), greeting: "He" }, 3]]);
    state.discard();
    vi.runAllTimers();
    expect(dropDraft).toHaveBeenCalledOnce();
  });

  test("are taken up again", async () => {
    const draft = { revision: 3, settings: { greeting: "Typed" }, saved_at: "2026-11-22T10:00:00Z" };
    const state = edited({ draft: () => Promise.resolve(draft) });
    await state.resume();
    expect([state.value("greeting"), state.resumedFrom]).toEqual(["Typed", "2026-11-22T10:00:00Z"]);
  });

  test("of an older version leave the changes of others as they are", async () => {
    const before = { ...settingsOf(context), embed_config: {} };
    const draft = { revision: 2, settings: { ...before, greeting: "Typed" }, saved_at: "" };
    const state = edited({ draft: () => Promise.resolve(draft), version: () => Promise.resolve(before) });
    await state.resume();
    expect(state.value("embed_config.ui.owner_name")).toBe("Alder");
    expect(state.changes).toEqual(["greeting"]);
  });
});
