import { createPuppetBehaviour, type MovingCharacter, type PuppetParams } from "../../src/puppet/index.ts";
import { spokenMs, spokenText } from "./spoken-text.ts";

/** A minute of a conversation's activity, frame by frame. */
export type SceneName = "idle" | "listening" | "speaking";

/** One frame: when it is shown and how the character is posed. */
export interface Frame {
  readonly ms: number;
  readonly params: PuppetParams;
}

/** The time between two frames, and the length of a scene. */
export const frameMs = 40;
export const sceneMs = 60_000;

/** Before a scene is measured, the face settles into it. */
const settleMs = 2000;

const said = [
  "You can change your order until it leaves our warehouse, which is usually on the next working day.",
  "Open the list of your orders, choose the one you want to change, and press the button below it.",
  "If the parcel is already on its way, you can still refuse it at the door, and we will return the money.",
  "The blue jacket comes in four sizes. The medium one fits most people between one metre seventy and one metre eighty.",
  "Delivery takes three days inside the country, and about a week everywhere else in Europe.",
  "Would you like me to look at a particular order? Then I only need its number.",
  "Our shop in the old town is open from nine until six, except on Sundays and public holidays.",
];

/** A pause between two answers of the speaking scene. */
const betweenMs = 320;

/** A visitor who speaks in clauses of about two seconds, with short pauses between. */
function isHeard(ms: number): boolean {
  return ms % 3100 < 2300 && ms % 11_000 < 9400;
}

/** Plays a minute of a scene. The same seed gives the same minute. */
export function playScene(name: SceneName, character: MovingCharacter, seed = 1): Frame[] {
  const behaviour = createPuppetBehaviour(character, { seed });
  if (name === "listening") behaviour.setActivity("listening");
  const frames: Frame[] = [];
  let [nextSpeechMs, spoken] = [settleMs / 2, 0];
  for (let ms = 0; ms < settleMs + sceneMs; ms += frameMs) {
    if (name === "listening")
      for (let at = 0; at < frameMs; at += 10) behaviour.hearVoice(ms + at, isHeard(ms));
    if (name === "speaking" && ms >= nextSpeechMs) {
      const timeline = spokenText(said[spoken++ % said.length]!);
      behaviour.speak(timeline, ms);
      nextSpeechMs = ms + spokenMs(timeline) + betweenMs;
    }
    const params = behaviour.step(ms);
    if (ms >= settleMs) frames.push({ ms: ms - settleMs, params });
  }
  return frames;
}
