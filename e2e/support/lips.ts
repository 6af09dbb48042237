import type { Page } from "@playwright/test";

/** Mouth motion and sound, sampled together from what the page receives. */
export interface LipSample {
  loudSamples: number;
  /** Mean change of the mouth's pixels between samples, 0–255, while speech was heard, without the largest 15 %. */
  motionWhileLoud: number;
  /** The same while there was silence. */
  motionWhileQuiet: number;
  quietSamples: number;
}

/**
 * Lets the avatar speak, and watches its mouth region, in the received video or as the page draws it, and the received audio, while it
 * speaks and is silent afterwards, at most for two minutes. On a busy machine, where one sentence gives few samples, it says it again.
 * The mouth of a character in format 1 lies around (256, 309) of its 512 units.
 */
export async function sampleMouthAndSound(page: Page, sentence: string): Promise<LipSample> {
  return page.evaluate(async (text) => {
    const avatar = document.querySelector("visavis-avatar");
    const video = avatar?.shadowRoot?.querySelector("video");
    const isDrawn = avatar?.getAttribute("data-drawn") === "local";
    // A frame that changes its size gets another canvas.
    const drawing = () =>
      (isDrawn && avatar.shadowRoot?.querySelector<HTMLCanvasElement>(".vv-stage canvas")) || null;
    if (!avatar || !video) throw new Error("There is no video element.");
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(video.srcObject as MediaStream).connect(analyser);
    const wave = new Float32Array(analyser.fftSize);
    const canvas = new OffscreenCanvas(48, 32).getContext("2d", { willReadFrequently: true })!;
    let previous: Uint8ClampedArray | undefined;
    const loud: number[] = [];
    const quiet: number[] = [];
    await context.resume();
    avatar.say(text);
    let lastLoud = performance.now();
    const end = performance.now() + 120_000;
    const enough = 20;
    // Where a busy machine shows few pictures, most samples see the same one.
    const isSeen = (): boolean => loud.length >= enough && loud.filter(Boolean).length > loud.length * 0.2;
    while (performance.now() < end && (!isSeen() || quiet.length < enough)) {
      await new Promise((resolve) => setTimeout(resolve, 40));
      const drawn = drawing();
      const side = drawn?.width ?? video.videoWidth;
      canvas.clearRect(0, 0, 48, 32);
      canvas.drawImage(drawn ?? video, side * 0.42, side * 0.56, side * 0.16, side * 0.1, 0, 0, 48, 32);
      const pixels = canvas.getImageData(0, 0, 48, 32).data;
      analyser.getFloatTimeDomainData(wave);
      const level = Math.sqrt(wave.reduce((sum, value) => sum + value * value, 0) / wave.length);
      if (previous) {
        let change = 0;
        for (let i = 0; i < pixels.length; i += 4) change += Math.abs(pixels[i]! - previous[i]!);
        const now = performance.now();
        if (level > 0.01) lastLoud = now;
        // The mouth still moves between words, and on a busy machine the picture comes after the sound.
        if (level > 0.01) loud.push(change / (pixels.length / 4));
        else if (loud.length > 0 && now - lastLoud > 1_200) quiet.push(change / (pixels.length / 4));
      }
      previous = pixels;
      const isDone = !isSeen() && avatar.activity === "idle";
      if (isDone && performance.now() - lastLoud > 5_000) {
        lastLoud = performance.now();
        avatar.say(text);
      }
    }
    await context.close();
    // Without the largest changes of both: a picture after which some were missing shows the moves of all of them at once.
    const mean = (values: number[]): number => {
      const usual = values.toSorted((a, b) => a - b).slice(0, Math.ceil(values.length * 0.85));
      return usual.reduce((sum, value) => sum + value, 0) / Math.max(1, usual.length);
    };
    return {
      loudSamples: loud.length,
      motionWhileLoud: mean(loud),
      motionWhileQuiet: mean(quiet),
      quietSamples: quiet.length,
    };
  }, sentence);
}
