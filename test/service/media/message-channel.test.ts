import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAudible, mediaStand, ofType, tone } from "./media-stand.ts";

const stand = mediaStand();

const types = [
  ...["ttstf", "stf", "clear-buffer", "change-size", "set-template", "record-start", "record-end-stt"],
  ...["record-end-translate", "ping", "activity", "motion", "voice", "file", "__proto__", ""],
];
const fields = [
  "message",
  "file_ref",
  "format",
  "width",
  "height",
  "model",
  "language",
  "src_lang",
  "reduced",
  "rate",
];

/** Messages that are almost valid: known types with fields of wrong types. */
const almostMessage = fc
  .record({
    type: fc.constantFrom(...types),
    data: fc.oneof(
      fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()),
      fc.jsonValue(),
      fc.constant(undefined),
    ),
  })
  .map((message) => JSON.stringify(message));

describe("the message channel", () => {
  it("stays open, with pictures and speech, for any messages of a client", async () => {
    const client = await stand.connect();
    const sent = fc.sample(fc.oneof(almostMessage, fc.string(), fc.json()), { numRuns: 400, seed: 7 });
    for (const text of sent) await client.sendText(text);
    await client.send("clear-buffer", {});
    const { pictures } = await client.received();
    await client.send("ping", {});
    await client.send("ttstf", { message: "Still here." });
    const received = await client.until(
      "an answer to a ping",
      (seen) =>
        ofType(seen, "ping").length > 0 &&
        ofType(seen, "stf").at(-1)?.data["message"] === "Still here." &&
        seen.pictures > pictures,
    );
    expect(received.channelState).toBe("open");
    expect(stand.told.closed).toEqual([]);
    expect(stand.told.warnings.length).toBeLessThanOrEqual(16);
  });

  it("reports each unknown type once, and that the client is active", async () => {
    const client = await stand.connect();
    for (const type of ["dance", "dance", "sing", "dance", "sing"]) await client.send(type, {});
    await client.send("ping", {});
    await client.until("the answer", (seen) => ofType(seen, "ping").length === 1);
    expect(stand.told.warnings).toEqual([
      'A message of the unknown or wrong form "dance" was ignored.',
      'A message of the unknown or wrong form "sing" was ignored.',
    ]);
    expect(stand.told.active).toContain("one");
  });

  it("stops spoken texts and spoken files on clear-buffer, at once and for good", async () => {
    stand.hooks.synthesize = () => Promise.resolve(tone(440, 120_000));
    const client = await stand.connect();
    for (const message of ["one", "two", "three"]) await client.send("ttstf", { message });
    await client.until("the sound", ({ heard }) => heard.some(isAudible));
    await client.send("clear-buffer", {});
    // Much sooner than the first would end.
    await client.until("silence", (seen) => seen.heard.length > 60 && !seen.heard.slice(-50).some(isAudible));
    expect(ofType(await client.received(), "stf")).toHaveLength(1);
  });
});
