import { createPuppetBehaviour, createPuppetRenderer, parseCharacter } from "visavis/puppet";

const sizePx = 512;

const environment = {
  Path2D,
  createCanvas: (width, height) => Object.assign(document.createElement("canvas"), { width, height }),
};

/** The face of a character: how it looks and how it moves. */
export function createFace(file) {
  const character = parseCharacter(file);
  const renderer = createPuppetRenderer(character, environment, { size: sizePx });
  const behaviour = createPuppetBehaviour(character);
  renderer.draw();
  return {
    canvas: renderer.canvas,
    /** What is known of a speech that began at `startMs`: its mouth shapes, stressed words and loudness, with their times. */
    speak(timeline, startMs) {
      behaviour.speak({ words: [], ...timeline }, startMs);
    },
    /** Draws from now on. The sound is heard later than it is announced, so the face is later too. */
    start(soundDelayMs) {
      const draw = (nowMs) => {
        renderer.draw(behaviour.step(nowMs - soundDelayMs()));
        requestAnimationFrame(draw);
      };
      requestAnimationFrame(draw);
    },
  };
}
