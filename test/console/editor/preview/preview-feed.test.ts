import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../../src/console/api/api-error.ts";
import { PreviewFeed } from "../../../../src/console/editor/preview/preview-content.ts";
import {
  contextSettingsSchema,
  type ContextSettings,
} from "../../../../src/protocol/settings/embed-context.ts";

const named = (name: string): ContextSettings =>
  contextSettingsSchema.parse({ name, tts_type: "visavis-slt", model_style: "mina" });

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function feedOf(put: (settings: ContextSettings) => Promise<string>): { feed: PreviewFeed; sent: string[] } {
  const sent: string[] = [];
  const feed = new PreviewFeed(
    (settings) => {
      sent.push(settings.name);
      return put(settings);
    },
    () => undefined,
  );
  return { feed, sent };
}

describe("the preview's embed keys", () => {
  test("the first change is sent at once, and of those that follow only the last", async () => {
    const { feed, sent } = feedOf(({ name }) => Promise.resolve(`preview_${name}`));
    for (const name of ["A", "AB", "ABC"]) feed.show(named(name));
    expect(sent).toEqual(["A"]);
    await vi.runAllTimersAsync();
    expect(sent).toEqual(["A", "ABC"]);
    expect(feed.contextId).toBe("preview_ABC");
  });

  test("the same settings are not sent twice", async () => {
    const { feed, sent } = feedOf(() => Promise.resolve("preview_1"));
    feed.show(named("A"));
    feed.show(named("A"));
    await vi.runAllTimersAsync();
    expect(sent).toEqual(["A"]);
  });

  test("settings that are refused leave the key of the ones before, and are tried again", async () => {
    let fails = false;
    const { feed, sent } = feedOf(({ name }) =>
      fails ? Promise.reject(new ApiError("rate_limited")) : Promise.resolve(`preview_${name}`),
    );
    feed.show(named("A"));
    await vi.runAllTimersAsync();
    fails = true;
    feed.show(named("B"));
    await vi.runAllTimersAsync();
    expect([feed.contextId, feed.isBehind]).toEqual(["preview_A", true]);
    fails = false;
    feed.show(named("B"));
    await vi.runAllTimersAsync();
    expect([feed.contextId, feed.isBehind, sent]).toEqual(["preview_B", false, ["A", "B", "B"]]);
  });
});
