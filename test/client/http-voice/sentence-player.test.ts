import { expect, test, vi } from "vitest";
import { SentencePlayer } from "../../../src/client/http-voice/sentence-player.ts";
import type { MediaPlayer } from "../../../src/client/link/media-player.ts";
import { ElementStandIn } from "./element-stand-in.ts";

const sound = new Blob();

test("what is stopped while the sentence before it still fades out is not begun", async () => {
  const element = new ElementStandIn();
  const player = new SentencePlayer({ element, play: () => element.play() } as unknown as MediaPlayer);
  const begins = vi.fn();
  const spoken = player.play(sound, new AbortController().signal, begins);
  await vi.waitFor(() => expect(begins).toHaveBeenCalledOnce());
  player.stop();
  await spoken;
  const asked = new AbortController();
  const next = player.play(sound, asked.signal, begins);
  asked.abort();
  player.stop();
  await next;
  expect(begins).toHaveBeenCalledOnce();
  expect(element.paused).toBe(true);
});
