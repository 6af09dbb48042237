import { SpeechFrames } from "../../src/client/voice/activity/speech-frames.ts";
import { heardFrames } from "./heard-frames.ts";

/** While the avatar is silent, speech counts after this long, as in the widget. In ms. */
const sustainMs = 200;

/** How many turns begin during a sound in which nobody speaks. A turn ends after 350 ms of silence. */
export async function falseStarts(sound: Float32Array): Promise<number> {
  const frames = new SpeechFrames();
  let starts = 0;
  for (const { isVoiced, isVowel } of await heardFrames(sound)) {
    if (frames.take(isVoiced, sustainMs, isVowel) === "speech") starts++;
    if (frames.isSpeech && frames.pauseMs >= 350) frames.reset();
  }
  return starts;
}
