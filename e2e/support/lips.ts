import type { Page } from "@playwright/test";

/** Mouth motion and sound, sampled together from what the page receives. */
export interface LipSample {
  loudSamples: number;
  /** Mean change of the mouth's pixels between samples, 0–255, while speech was heard. */
  motionWhileLoud: number;
  /** The same while there was silence. */
  motionWhileQuiet: number;
  quietSamples: number;
}

/**
 * Watches the avatar's mouth region, in the received video or as the page draws it, and the received audio for a while. The mouth
 * of a character in format 1 lies around (256, 309) of its 512 units.
 */
export async function sampleMouthAndSound(page: Page, durationMs: number): Promise<LipSample> {
  return page.evaluate(async (lengthMs) => {
    const avatar = document.querySelector("visavis-avatar");
    const video = avatar?.shadowRoot?.querySelector("video");
    const isDrawn = avatar?.getAttribute("data-drawn") === "local";
    // A frame that changes its size gets another canvas.
    const drawing = () =>
      (isDrawn && avatar.shadowRoot?.querySelector<HTMLCanvasElement>(".vv-stage canvas")) || null;
    if (!video) throw new Error("There is no video element.");
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
    let lastLoud = performance.now();
    const end = performance.now() + lengthMs;
    while (performance.now() < end) {
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
        // The mouth still moves between words. Silence begins half a second after the last sound.
        if (level > 0.01) loud.push(change / (pixels.length / 4));
        else if (now - lastLoud > 500) quiet.push(change / (pixels.length / 4));
      }
      previous = pixels;
    }
    await context.close();
    const mean = (values: number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    return {
      loudSamples: loud.length,
      motionWhileLoud: mean(loud),
      motionWhileQuiet: mean(quiet),
      quietSamples: quiet.length,
    };
  }, durationMs);
}
