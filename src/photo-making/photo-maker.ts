import type * as z from "zod";
import { photoAdvice } from "./gates.ts";
import { createLiveFace, createPhotoPainter, type LiveFace, makeStills } from "./stills.ts";
import { type GatedPhotograph, gatePhotograph, makeCharacter, type StepTold } from "./make-character.ts";
import type { MakerAnswer } from "./maker-answers.ts";
import { makerRequestSchema } from "./maker-requests.ts";
import { PhotoRefusal } from "./picture-file.ts";

/**
 * The page that makes characters from photographs. It stands in a frame of a page of the same server, because the models' scripts
 * need more permissions than the console has, and talks with it by messages.
 */
const { parent } = window;
const source = "visavis-photo-maker";

/** The photograph that passed last, and the character that was made last. */
let photograph: GatedPhotograph | undefined;
let live: LiveFace | undefined;

const tell = (answer: MakerAnswer): void => parent.postMessage(answer, location.origin);

/** The frame and its parent have one thread: without a pause, the parent could not draw what is being done. */
const pauseMs = 50;

const tellStep: StepTold = (step) => {
  tell({ source, type: "progress", step });
  return new Promise((resolve) => setTimeout(resolve, pauseMs));
};

type MakeRequest = Extract<z.output<typeof makerRequestSchema>, { type: "make" }>;

async function make({ id, photo, ...wishes }: MakeRequest): Promise<MakerAnswer> {
  try {
    if (photo) photograph = undefined;
    photograph = photo ? await gatePhotograph(photo, tellStep) : photograph;
    if (!photograph) return { source, id, type: "failed", detail: "There is no photograph." };
    const measures = { ...photograph.measures };
    const character = await makeCharacter(photograph, wishes, tellStep);
    const paint = await createPhotoPainter(character);
    live = createLiveFace(character, paint);
    const hasGlasses = character.glasses !== undefined;
    return {
      ...{ source, id, type: "made", character, hasGlasses, measures },
      ...(await makeStills(character, paint)),
    };
  } catch (error) {
    if (!(error instanceof PhotoRefusal)) return { source, id, type: "failed", detail: String(error) };
    const advice = error.faults.map((fault) => photoAdvice[fault]);
    return { source, id, type: "refused", faults: [...error.faults], advice };
  }
}

/** One after the other: the models keep what they saw. */
let making: Promise<void> = Promise.resolve();

function makeNext(request: MakeRequest): void {
  making = making.then(async () => tell(await make(request)));
}

window.addEventListener("message", ({ data, origin, source: sender }) => {
  if (origin !== location.origin || sender !== parent) return;
  const request = makerRequestSchema.safeParse(data).data;
  switch (request?.type) {
    case "make":
      makeNext(request);
      break;
    case "mouths":
      if (live) tell({ source, type: "mouths", pictures: live.mouths(request.poses, request.side) });
      break;
    case "frame":
      if (live) {
        const picture = live.frame(request.atMs, request.side, request.pose, request.isCalm);
        tell({ source, type: "frame", picture });
      }
      break;
    case "speak":
      live?.speak(request.speech, request.atMs);
      break;
    case "hush":
      live?.hush(request.atMs);
      break;
    case undefined:
      break;
  }
});

tell({ source, type: "ready" });
