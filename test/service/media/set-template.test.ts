import { describe, expect, it } from "vitest";
import type { WantedTemplate } from "../../../src/service/media/media-engine.ts";
import { isAudible, lookOf, mediaStand, ofType, tone } from "./media-stand.ts";
import { until } from "../../patience.ts";

const stand = mediaStand();

/** The requested looks, with a catalogue of two characters. */
function catalogue(): WantedTemplate[] {
  const wanted: WantedTemplate[] = [];
  stand.hooks.template = (_sessionId, template) => {
    wanted.push(template);
    const isKnown = template.model === "mina" || template.model === "tomas";
    return Promise.resolve(isKnown ? lookOf(template.model!) : null);
  };
  return wanted;
}

describe("set-template", () => {
  it("changes the character in mid-sentence, and the sentence continues", async () => {
    catalogue();
    stand.hooks.synthesize = () => {
      const outcome = tone(440, 120_000);
      if (outcome.ok) outcome.speech.visemes.push({ viseme: "aa", start: 0, end: 120_000 });
      return Promise.resolve(outcome);
    };
    const client = await stand.connect();
    await client.send("motion", { reduced: true });
    const before = await client.until("a steady picture", ({ pictures }) => pictures > 20);
    await client.send("ttstf", { message: "Ah." });
    await client.until("the sound", ({ heard }) => heard.some(isAudible));
    await client.send("set-template", { model: "tomas" });
    const matteOfMina = before.lastPicture!.matteMean;
    const after = await client.until(
      "the other character",
      ({ lastPicture }) => Math.abs(lastPicture!.matteMean - matteOfMina) > 4,
    );
    expect(after.lastPicture).toMatchObject({ width: 256, height: 512 });
    await client.forget();
    await client.until("the rest of the sound", ({ heard }) => heard.some(isAudible));
    expect(ofType(await client.received(), "stf")).toHaveLength(1);
  });

  it("ignores a look that the catalogue does not have, with one warning", async () => {
    const wanted = catalogue();
    const client = await stand.connect();
    await client.send("set-template", { model: "nobody" });
    await until("the question", () => wanted.length === 1);
    await client.send("set-template", { dress: "festive" });
    await until("the other question", () => wanted.length === 2);
    await client.send("ping", {});
    await client.until("the answer", (seen) => ofType(seen, "ping").length === 1);
    expect(wanted).toEqual([
      { model: "nobody", dress: undefined },
      { model: undefined, dress: "festive" },
    ]);
    expect(stand.told.warnings).toHaveLength(1);
    expect(ofType(await client.received(), "template")).toEqual([]);
  });

  it("tells the client what to draw, and later another client of the session too", async () => {
    catalogue();
    const client = stand.newClient({}, "audio-only");
    await stand.exchange(client);
    await client.send("set-template", { model: "tomas" });
    const told = await client.until("the look", (seen) => ofType(seen, "template").length > 0);
    expect(ofType(told, "template").map(({ data }) => data)).toEqual([lookOf("tomas").drawn]);
    const next = stand.newClient({}, "audio-only");
    await stand.exchange(next);
    const toldNext = await next.until("the look", (seen) => ofType(seen, "template").length > 0);
    expect(ofType(toldNext, "template")[0]!.data).toEqual(lookOf("tomas").drawn);
  });

  it("applies the last of many, at the size that the client requested", async () => {
    catalogue();
    const client = await stand.connect();
    const { lastPicture } = await client.until("pictures", ({ pictures }) => pictures > 5);
    await client.send("change-size", { width: 320, height: 320 });
    for (const model of ["tomas", "mina", "nobody", "tomas"]) await client.send("set-template", { model });
    await client.until(
      "the other character",
      (seen) =>
        seen.lastPicture?.width === 320 && Math.abs(seen.lastPicture.matteMean - lastPicture!.matteMean) > 4,
    );
  });
});
