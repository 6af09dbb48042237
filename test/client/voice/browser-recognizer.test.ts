import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BrowserRecognizer, chooseBrowserRecognition } from "../../../src/client/voice/browser-recognizer.ts";
import { installRecognition, ScriptedRecognition, told } from "./scripted-recognition.ts";

const track = { id: "microphone" } as MediaStreamTrack;
let recognizer: BrowserRecognizer;
let partial: string[];

beforeEach(async () => {
  vi.useFakeTimers();
  installRecognition();
  recognizer = await make();
});

afterEach(() => {
  recognizer.close();
  vi.useRealTimers();
});

async function make(): Promise<BrowserRecognizer> {
  const made = new BrowserRecognizer((await chooseBrowserRecognition("en", false))!, "en");
  partial = [];
  made.events.on("partial", (text) => partial.push(text));
  told.length = 0;
  return made;
}

/** The recognition that runs. */
const running = (): ScriptedRecognition => ScriptedRecognition.made.at(-1)!;

describe("push-to-talk", () => {
  it("recognizes from the start to the end of a turn, on the device", async () => {
    expect(recognizer.start(300, track)).toBe(true);
    expect(told).toEqual(["start en on the device microphone"]);
    running().understand([], "how long");
    running().understand([], "how long does delivery");
    const text = recognizer.end();
    expect(told.at(-1)).toBe("stop");
    // The last words come after the end.
    running().understand(["how long does delivery take"]);
    running().finish();
    expect(await text).toBe("how long does delivery take");
    expect(partial).toEqual(["how long", "how long does delivery", "how long does delivery take"]);
  });

  it("has no text when nothing was said", async () => {
    recognizer.start(300, track);
    running().fail("no-speech");
    const text = recognizer.end();
    running().finish();
    expect(await text).toBe("");
  });

  it("fails with what the browser says, but not where words were understood before", async () => {
    recognizer.start(300, track);
    running().fail("network");
    await expect(recognizer.end()).rejects.toMatchObject({
      code: "engine_failed",
      message: "The browser's speech recognition failed: network.",
    });
    recognizer.start(300, track);
    running().understand(["can I pay by card"]);
    running().fail("network");
    expect(await recognizer.end()).toBe("can I pay by card");
  });

  it("waits no longer than 8 s for a browser that does not answer", async () => {
    recognizer.start(300, track);
    running().understand([], "hello");
    const text = recognizer.end();
    await vi.advanceTimersByTimeAsync(8_100);
    expect(await text).toBe("hello");
  });

  it("forgets a turn that was taken back", () => {
    recognizer.start(300, track);
    const first = running();
    recognizer.cancel();
    expect(told.at(-1)).toBe("abort");
    first.understand(["never mind"]);
    expect(partial).toEqual([]);
  });
});

describe("hands-free", () => {
  beforeEach(() => recognizer.listen(track));

  it("listens all the time: a turn has what was said before its onset was found", async () => {
    running().understand([], "");
    recognizer.start(400, track);
    running().understand([], "how much is the");
    running().understand(["how much is the chair"]);
    expect(await recognizer.end()).toBe("how much is the chair");
    expect(told).toEqual(["start en on the device microphone"]);
  });

  it("counts words that stay the same as the turn's, even if the browser does not call them final", async () => {
    recognizer.start(400, track);
    running().understand([], "how much is");
    const text = recognizer.end();
    recognizer.start(0, track);
    await vi.advanceTimersByTimeAsync(200);
    running().understand([], "how much is it");
    await vi.advanceTimersByTimeAsync(500);
    expect(await text).toBe("how much is it");
  });

  it("gives each turn its own words", async () => {
    recognizer.start(400, track);
    running().understand(["hello"]);
    expect(await recognizer.end()).toBe("hello");
    recognizer.start(0, track);
    running().understand(["hello", "can I pay by card"]);
    expect(await recognizer.end()).toBe("can I pay by card");
    expect(partial).toEqual(["hello", "can I pay by card"]);
  });

  it("does not take what was said between two turns for a part of the next one", async () => {
    running().understand(["noise of the radio"]);
    recognizer.start(400, track);
    running().understand(["noise of the radio", "hello"]);
    expect(await recognizer.end()).toBe("hello");
  });

  it("begins again when the browser stops listening, and keeps the words of the turn", async () => {
    recognizer.start(400, track);
    running().understand(["I want a chair and"]);
    await vi.advanceTimersByTimeAsync(5_000);
    running().finish();
    await vi.advanceTimersByTimeAsync(300);
    expect(ScriptedRecognition.made).toHaveLength(2);
    running().understand(["a table"]);
    expect(await recognizer.end()).toBe("I want a chair and a table");
  });

  it("takes growing copies, each called final, for one text, as Chrome on Android gives them", async () => {
    recognizer.start(400, track);
    running().understand(["how", "how are", "How are you", "how are you?"]);
    expect(await recognizer.end()).toBe("how are you?");
    recognizer.start(0, track);
    running().understand(["how", "how are", "How are you", "how are you?", "can I", "can I pay"]);
    expect(await recognizer.end()).toBe("can I pay");
    expect(partial).toEqual(["how are you?", "can I pay"]);
  });

  it("keeps what was said twice, and results that only begin alike", async () => {
    recognizer.start(400, track);
    running().understand(["no", "no", "nobody", "", "I know"]);
    expect(await recognizer.end()).toBe("no no nobody I know");
  });

  it("listens again after a fault of the network, and fails when it lasts", async () => {
    const fault = async (ms: number): Promise<void> => {
      running().fail("network");
      running().finish();
      await vi.advanceTimersByTimeAsync(ms);
    };
    await fault(500);
    expect(ScriptedRecognition.made).toHaveLength(2);
    recognizer.start(400, track);
    running().understand(["is it green"]);
    expect(await recognizer.end()).toBe("is it green");
    for (const ms of [500, 1_500, 4_000]) await fault(ms);
    expect(ScriptedRecognition.made).toHaveLength(5);
    recognizer.start(400, track);
    await fault(0);
    await expect(recognizer.end()).rejects.toThrow("network");
  });

  it("gives up when the browser ends at once again and again", async () => {
    recognizer.start(400, track);
    for (let count = 0; count < 5; count++) {
      running().finish();
      await vi.advanceTimersByTimeAsync(300);
    }
    await expect(recognizer.end()).rejects.toMatchObject({ code: "engine_failed" });
    expect(ScriptedRecognition.made).toHaveLength(5);
  });

  it("listens to another device, and to none when the microphone is off", () => {
    recognizer.listen({ id: "headset" } as MediaStreamTrack);
    expect(told.slice(-2)).toEqual(["abort", "start en on the device headset"]);
    recognizer.rest();
    expect(told.at(-1)).toBe("abort");
  });
});

it("installs the language's model before the first turn if it is missing", async () => {
  ScriptedRecognition.availability = "downloadable";
  const lacking = await make();
  await lacking.prepare();
  expect(told).toEqual(["install en"]);
  ScriptedRecognition.installs = false;
  await expect(lacking.prepare()).rejects.toMatchObject({ code: "engine_failed" });
});
