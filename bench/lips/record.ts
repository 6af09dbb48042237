import type { Page } from "@playwright/test";
import { region } from "./expected.ts";
import type { Series } from "./series.ts";

/** Loudness and mouth; times count from the call. */
export interface Recording {
  sound: Series;
  mouth: Series;
}

/**
 * Lets the avatar in the page say a text, and records loudness and mouth until the end. The mouth's times are those at which the screen
 * shows it: for a video as the browser expects, for a drawing one frame after it was drawn. The sound's are those at which the
 * loudspeaker plays it; a video's are compared as they arrive.
 */
export async function record(page: Page, text: string, lengthMs: number): Promise<Recording> {
  return page.evaluate(
    async ([message, duration, patch]) => {
      const element = document.querySelector("visavis-avatar") as HTMLElement & { say(text: string): void };
      const root = element.shadowRoot!;
      const video = root.querySelector("video")!;
      const isDrawn = element.getAttribute("data-drawn") === "local";
      const audio = new AudioContext({ latencyHint: "interactive" });
      await audio.resume();
      const analyser = audio.createAnalyser();
      analyser.fftSize = 256;
      audio.createMediaStreamSource(video.srcObject as MediaStream).connect(analyser);
      const wave = new Float32Array(analyser.fftSize);
      const canvas = new OffscreenCanvas(patch.columns, patch.rows).getContext("2d", {
        willReadFrequently: true,
      })!;
      const mouth = { timesMs: [] as number[], values: [] as number[] };
      const sound = { timesMs: [] as number[], values: [] as number[] };
      let rest: Uint8ClampedArray | undefined;
      let open = true;
      const began = performance.now();
      const look = (picture: HTMLVideoElement | HTMLCanvasElement, side: number, shownMs: number): void => {
        const unit = side / 512;
        canvas.clearRect(0, 0, patch.columns, patch.rows);
        canvas.drawImage(
          picture,
          patch.x * unit,
          patch.y * unit,
          patch.width * unit,
          patch.height * unit,
          0,
          0,
          patch.columns,
          patch.rows,
        );
        const { data } = canvas.getImageData(0, 0, patch.columns, patch.rows);
        rest ??= data;
        let sum = 0;
        for (let i = 0; i < data.length; i += 4) sum += Math.abs(data[i]! - rest[i]!);
        mouth.timesMs.push(shownMs - began);
        mouth.values.push(sum / (data.length / 4));
      };
      const onFrame = (_now: number, metadata: VideoFrameCallbackMetadata): void => {
        look(video, video.videoWidth, metadata.expectedDisplayTime);
        if (open) video.requestVideoFrameCallback(onFrame);
      };
      const painted = new MessageChannel();
      let frameAtMs = 0;
      // A task that a frame's callback posts runs after all callbacks. The screen shows the frame with the next one.
      painted.port1.onmessage = () => {
        const drawing = root.querySelector<HTMLCanvasElement>(".vv-stage canvas");
        if (drawing) look(drawing, drawing.width, frameAtMs + 1_000 / 60);
      };
      const onDrawn = (frameMs: number): void => {
        frameAtMs = frameMs;
        painted.port2.postMessage(null);
        if (open) requestAnimationFrame(onDrawn);
      };
      if (isDrawn) requestAnimationFrame(onDrawn);
      else video.requestVideoFrameCallback(onFrame);
      await new Promise((resolve) => setTimeout(resolve, 150));
      element.say(message);
      const end = performance.now() + duration;
      while (performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 3));
        analyser.getFloatTimeDomainData(wave);
        // The middle of the analysed window is half a window before the time of reading.
        const heardMs = performance.now() - (wave.length / 2 / audio.sampleRate) * 1_000;
        sound.timesMs.push(heardMs - began + (isDrawn ? audio.outputLatency * 1_000 : 0));
        sound.values.push(Math.sqrt(wave.reduce((sum, value) => sum + value * value, 0) / wave.length));
      }
      open = false;
      await audio.close();
      return { sound, mouth };
    },
    [text, lengthMs, region] as const,
  );
}
