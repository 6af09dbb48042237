import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createPuppetBehaviour, parseCharacter } from "../../../src/puppet/index.ts";
import type { ClientMessage, ServerMessage } from "../../../src/protocol/session/data-channel.ts";
import { followReceived, followSent } from "../../../src/widget/drawing/local/local-avatar.ts";

const mina = parseCharacter(JSON.parse(readFileSync("public/characters/mina.json", "utf8")));
const words = [{ text: "Hello", start: 0, end: 900 }];

function faceAfter(received: ServerMessage, ...sent: ClientMessage[]) {
  const face = createPuppetBehaviour(mina, { reducedMotion: true });
  face.step(0);
  const loudness = followReceived(face, received, 0);
  for (const message of sent) followSent(face, message, 200);
  const open = Array.from({ length: 25 }, (_, frame) =>
    Object.values(face.step(300 + frame * 20).visemeWeights ?? {}).reduce((sum, weight) => sum + weight, 0),
  );
  return { loudness, most: Math.max(...open) };
}

const stf = (more: object): ServerMessage => ({
  type: "stf",
  data: { message: "Hello", duration: 900, words, ...more },
});

describe("the face in the browser", () => {
  it("speaks with the mouth shapes of the notice, and tells its loudness", () => {
    const notice = stf({ visemes: [{ viseme: "aa", start: 0, end: 900 }], loudness: [0.5, 1] });
    expect(faceAfter(notice)).toMatchObject({ loudness: [0.5, 1] });
    expect(faceAfter(notice).most).toBeGreaterThan(0.3);
  });

  it("waits when a notice has no mouth shapes, or wrong ones", () => {
    expect(faceAfter(stf({}))).toEqual({ loudness: null, most: 0 });
    const wrong = stf({ visemes: [{ viseme: "??", start: 0, end: 9 }], loudness: [0.5] });
    expect(faceAfter(wrong)).toEqual({ loudness: null, most: 0 });
  });

  it("stops when the client stops the speech", () => {
    const notice = stf({ visemes: [{ viseme: "aa", start: 0, end: 900 }] });
    expect(faceAfter(notice, { type: "clear-buffer", data: {} }).most).toBeLessThan(0.05);
  });

  it("marks the words that the notice calls stressed", () => {
    const poses = [[], [{ start: 0, end: 900, strength: 1 }]].map((accents) => {
      const face = createPuppetBehaviour(mina, { seed: 3 });
      face.step(0);
      const visemes = [{ viseme: "aa", start: 0, end: 900 }];
      followReceived(face, stf({ visemes, accents }), 0);
      return Array.from({ length: 30 }, (_, frame) => face.step(frame * 30));
    });
    const browRaise = poses.map((steps) => Math.max(...steps.map((pose) => pose.browRaise ?? 0)));
    expect(browRaise[1]).toBeGreaterThan((browRaise[0] ?? 0) + 0.2);
  });

  it("does not take a notice without length for speech", () => {
    const none: ServerMessage = { type: "stf", data: { message: "?", duration: 0 } };
    expect(faceAfter(none)).toEqual({ loudness: undefined, most: 0 });
  });
});
