import { afterAll, describe, expect, it } from "vitest";
import { MediaError } from "../../../src/service/media/media-error.ts";
import { characterFile, isAudible, mediaStand } from "./media-stand.ts";
import { OfferMutation } from "./offer-mutation.ts";
import { realOffers } from "./real-offers.ts";

/** `OFFER_FUZZ_SEED` and `OFFER_FUZZ_COUNT` run other offers than the default ones. */
const seed = Number(process.env["OFFER_FUZZ_SEED"] ?? 1);
const count = Number(process.env["OFFER_FUZZ_COUNT"] ?? 300);

/** Concurrent exchanges. More would not be faster on two cores. */
const lanes = 8;

/** How long sessions stay open, because an offer has effects after its answer. */
const openSessions = 24;

describe("a media process", () => {
  const stand = mediaStand();
  const outcomes: Record<string, number> = {};
  afterAll(() =>
    process.stdout.write(`${count} mutated offers, seed ${seed}: ${JSON.stringify(outcomes)}\n`),
  );

  it(`survives ${count} mutated offers (seed ${seed}) and serves an honest client meanwhile`, async () => {
    const honest = await stand.connect("honest");
    const mutation = new OfferMutation(Object.values(realOffers), seed);
    const open: string[] = [];
    const deaths: string[] = [];
    let given = 0;

    async function outcomeOf(sessionId: string, offerSdp: string): Promise<string> {
      try {
        await stand.engine.exchange({ sessionId, offerSdp, characterFile: characterFile("mina") });
        return "answered";
      } catch (error) {
        return error instanceof MediaError ? error.code : String(error);
      }
    }

    async function lane(): Promise<void> {
      while (given < count && deaths.length === 0) {
        const number = given++;
        const offerSdp = mutation.next();
        const sessionId = `session-${number}`;
        const outcome = await outcomeOf(sessionId, offerSdp);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        if (outcome === "process_died" || stand.told.warnings.length > 0)
          deaths.push(`offer ${number}: ${outcome}\n${stand.told.warnings.join("\n")}\n${offerSdp}`);
        if (outcome === "answered") open.push(sessionId);
        if (open.length > openSessions) stand.engine.close(open.shift()!);
      }
    }

    await Promise.all(Array.from({ length: lanes }, lane));
    expect(deaths).toEqual([]);
    expect(stand.told.closed).toEqual([]);
    expect(outcomes["answered"]).toBeGreaterThan(count / 10);
    expect(outcomes["refused_offer"]).toBeGreaterThan(count / 10);
    await honest.forget();
    await honest.send("ttstf", { message: "Hello." });
    await honest.until("the voice", ({ heard }) => heard.some(isAudible));
  });
});
