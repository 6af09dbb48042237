import { heardRateHz } from "./heard-frames.ts";

/** Random numbers from −1 to 1, the same in each run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return (state / 2_147_483_647) * 2 - 1;
  };
}

const samplesOf = (sec: number): number => Math.round(sec * heardRateHz);

/** White noise with the root mean square `rms`. */
function whiteNoise(sec: number, rms: number, seed: number): Float32Array {
  const random = seeded(seed);
  return Float32Array.from({ length: samplesOf(sec) }, () => random() * rms * Math.sqrt(3));
}

/** Noise that begins and ends suddenly, in different strengths, over a quiet room: 100 s. */
export function noises(): Float32Array {
  const sound = whiteNoise(100, 0.000_5, 3);
  for (const [index, rms] of [0.3, 0.05, 0.15, 0.02, 0.25, 0.1, 0.4, 0.03, 0.2, 0.08].entries()) {
    const from = samplesOf(index * 10 + 1);
    // Deeper each time: from a hiss to a rumble.
    let last = 0;
    const share = 1 - index / 11;
    for (const [at, sample] of whiteNoise(6, rms, index + 5).entries()) {
      last += (sample - last) * share;
      sound[from + at] = (sound[from + at] ?? 0) + last;
    }
  }
  return sound;
}

/** Clicks of keys and knocks, one or more a second: 100 s. */
export function clicks(): Float32Array {
  const sound = whiteNoise(100, 0.000_5, 11);
  const random = seeded(17);
  for (let sec = 1; sec < 99; sec += 0.25 + Math.abs(random()) * 0.75) {
    const from = samplesOf(sec);
    const length = samplesOf(0.005 + Math.abs(random()) * 0.045);
    const loudness = 0.1 + Math.abs(random()) * 0.7;
    const turnsPerSec = 120 + Math.abs(random()) * 2_000;
    for (let at = 0; at < length; at++) {
      const fade = Math.exp((-5 * at) / length);
      const wave = Math.sin((2 * Math.PI * turnsPerSec * at) / heardRateHz) * 0.5 + random() * 0.5;
      sound[from + at] = (sound[from + at] ?? 0) + loudness * fade * wave;
    }
  }
  return sound;
}

/** Chords with a melody and a beat, like those of a radio in the room: 100 s. */
export function music(): Float32Array {
  const sound = whiteNoise(100, 0.000_5, 23);
  const random = seeded(29);
  const chords = [
    [220, 277.2, 329.6],
    [196, 246.9, 293.7],
    [174.6, 220, 261.6],
    [164.8, 207.7, 246.9],
  ];
  const beatSec = 0.5;
  for (let beat = 0; beat < 196; beat++) {
    const from = samplesOf(1 + beat * beatSec);
    const chord = chords[Math.floor(beat / 4) % chords.length] ?? [];
    const melody = (chord[beat % chord.length] ?? 220) * 2;
    for (let at = 0; at < samplesOf(beatSec); at++) {
      const sec = at / heardRateHz;
      const tones = [...chord, melody].map(
        (hz) => Math.sin(2 * Math.PI * hz * sec) + 0.4 * Math.sin(4 * Math.PI * hz * sec),
      );
      const drum = Math.exp(-sec * 30) * random() * 2;
      const level = 0.03 * Math.exp(-sec * 2);
      sound[from + at] =
        (sound[from + at] ?? 0) + level * (tones.reduce((sum, tone) => sum + tone, 0) + drum);
    }
  }
  return sound;
}
