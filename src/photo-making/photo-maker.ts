import { makeCharacter } from "./make-character.ts";
import { photoAdvice } from "./gates.ts";
import { makerRequestSchema, type MakerAnswer } from "./maker-messages.ts";
import { PhotoRefusal } from "./picture-file.ts";
import { createPhotoPainter, makeStills } from "./stills.ts";

/**
 * The page that makes characters from photographs. It stands in a frame of a page of the same server, because the models' scripts
 * need more permissions than the console has, and talks with it by messages.
 */
const { parent } = window;

const tell = (answer: MakerAnswer): void => parent.postMessage(answer, location.origin);

async function make(photo: Blob, keepsBackground: boolean): Promise<MakerAnswer> {
  try {
    const { character, measures } = await makeCharacter(photo, { keepsBackground });
    return {
      ...{ source: "visavis-photo-maker", type: "made", character, measures },
      ...(await makeStills(character)),
    };
  } catch (error) {
    if (!(error instanceof PhotoRefusal))
      return { source: "visavis-photo-maker", type: "failed", detail: String(error) };
    const advice = error.faults.map((fault) => photoAdvice[fault]);
    return { source: "visavis-photo-maker", type: "refused", faults: [...error.faults], advice };
  }
}

window.addEventListener("message", ({ data, origin, source }) => {
  if (origin !== location.origin || source !== parent) return;
  const request = makerRequestSchema.safeParse(data).data;
  if (request?.type === "make") void make(request.photo, request.keepsBackground).then(tell);
  if (request?.type === "paint")
    void createPhotoPainter(request.character).then((paint) =>
      tell({
        ...{ source: "visavis-photo-maker", type: "painted" },
        pictures: request.poses.map((pose) => paint(pose, request.side)),
      }),
    );
});

tell({ source: "visavis-photo-maker", type: "ready" });
