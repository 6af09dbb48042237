import type { Page } from "@playwright/test";

/** Mouth motion in silence and in speech, from what the page receives. */
export interface LipSample {
  /** Mean change of the mouth's pixels from picture to picture, 0–255, while speech was heard, without the largest 15 %. */
  motionWhileLoud: number;
  /** The same while there was silence. */
  motionWhileQuiet: number;
}

/**
 * Lets the avatar speak until enough pictures were shown while speech was heard, and watches until as many were shown in the silence
 * afterwards: its mouth region, in the received video or as the page draws it. What is counted are pictures, however slowly they come.
 * The mouth of a character in format 1 lies around (256, 309) of its 512 units.
 */
export async function sampleMouthAndSound(page: Page, sentence: string): Promise<LipSample> {
  return page.evaluate(async (text) => {
    const avatar = document.querySelector("visavis-avatar");
    const video = avatar?.shadowRoot?.querySelector("video");
    if (!avatar || !video) throw new Error("There is no video element.");
    const isDrawn = avatar.getAttribute("data-drawn") === "local";
    // A frame that changes its size gets another canvas.
    const drawing = () =>
      (isDrawn && avatar.shadowRoot?.querySelector<HTMLCanvasElement>(".vv-stage canvas")) || null;
    const nextPicture = (): Promise<unknown> =>
      new Promise((resolve) => {
        if (isDrawn) requestAnimationFrame(resolve);
        else video.requestVideoFrameCallback(resolve);
      });
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(video.srcObject as MediaStream).connect(analyser);
    const wave = new Float32Array(analyser.fftSize);
    const canvas = new OffscreenCanvas(48, 32).getContext("2d", { willReadFrequently: true })!;
    const mouth = (): Uint8ClampedArray => {
      const picture = drawing() ?? video;
      const side = picture instanceof HTMLVideoElement ? picture.videoWidth : picture.width;
      canvas.clearRect(0, 0, 48, 32);
      canvas.drawImage(picture, side * 0.42, side * 0.56, side * 0.16, side * 0.1, 0, 0, 48, 32);
      return canvas.getImageData(0, 0, 48, 32).data;
    };
    const level = (): number => {
      analyser.getFloatTimeDomainData(wave);
      return Math.sqrt(wave.reduce((sum, value) => sum + value * value, 0) / wave.length);
    };
    const enough = 20;
    const loud: number[] = [];
    const quiet: number[] = [];
    await context.resume();
    avatar.addEventListener("visavis-activitychange", () => {
      if (avatar.activity === "idle" && loud.length < enough) avatar.say(text);
    });
    avatar.say(text);
    let previous = mouth();
    let lastLoudSec = Infinity;
    while (loud.length < enough || quiet.length < enough) {
      await nextPicture();
      const pixels = mouth();
      let change = 0;
      for (let i = 0; i < pixels.length; i += 4) change += Math.abs(pixels[i]! - previous[i]!);
      change /= pixels.length / 4;
      previous = pixels;
      // By the sound's own clock: the mouth still moves between words, and the picture comes after the sound.
      if (level() > 0.01) lastLoudSec = context.currentTime;
      const silentSec = context.currentTime - lastLoudSec;
      // A page that draws shows most of its pictures more than once.
      if (silentSec === 0 && (change > 0 || !isDrawn)) loud.push(change);
      else if (silentSec > 1.2) quiet.push(change);
    }
    await context.close();
    // Without the largest changes of both: a picture after which some were missing shows the moves of all of them at once.
    const mean = (values: number[]): number => {
      const usual = values.toSorted((a, b) => a - b).slice(0, Math.ceil(values.length * 0.85));
      return usual.reduce((sum, value) => sum + value, 0) / usual.length;
    };
    return { motionWhileLoud: mean(loud), motionWhileQuiet: mean(quiet) };
  }, sentence);
}
