import { counterGaze } from "../../src/puppet/behaviour/behaviour.ts";
import type { Character, PuppetParams } from "../../src/puppet/index.ts";
import type { Frame } from "./scenes.ts";

/** What can be measured of a face in motion. */
export interface MotionMeasures {
  readonly blinksPerMinute: number;
  /** How far the head is from its mean pose, as the root of the mean square of its angle, in degrees. */
  readonly headRmsDeg: number;
  /** The share of time in which the eyes rest on the visitor, 0…1. */
  readonly gazeOnVisitor: number;
  /** How often the eyes jump in a minute. */
  readonly saccadesPerMinute: number;
  /** How much the brows move, as the standard deviation of `browRaise`. */
  readonly browMotion: number;
  /** How unlike the two most similar stretches of two seconds are, as the mean difference of their poses. */
  readonly leastDifference: number;
}

/** Eyes within this distance of the visitor look at them. */
const onVisitor = 0.24;

const saccade = 0.08;
const stretchFrames = 50;
const stretchStep = 5;

/** Measures the frames of a scene. */
export function measureMotion(frames: readonly Frame[], { rig: { head } }: Character): MotionMeasures {
  const minutes = (frames.length * (frames[1]!.ms - frames[0]!.ms)) / 60_000;
  const looks = frames.map(({ params }) => lookOf(params));
  const degrees = (radians: number): number => (radians * 180) / Math.PI;
  const axes = [
    frames.map(({ params }) => degrees(head.maxYaw) * (params.headTurn ?? 0)),
    frames.map(({ params }) => degrees(head.maxPitch) * (params.headNod ?? 0)),
    frames.map(({ params }) => degrees(head.maxRoll) * (params.headTilt ?? 0)),
  ];
  return {
    blinksPerMinute: countBlinks(frames) / minutes,
    headRmsDeg: Math.hypot(...axes.map(deviation)),
    gazeOnVisitor: looks.filter(({ x, y }) => Math.hypot(x, y) <= onVisitor).length / looks.length,
    saccadesPerMinute:
      looks.filter(
        (look, i) => i > 0 && Math.hypot(look.x - looks[i - 1]!.x, look.y - looks[i - 1]!.y) > saccade,
      ).length / minutes,
    browMotion: deviation(frames.map(({ params }) => params.browRaise ?? 0)),
    leastDifference: leastDifference(frames.map(({ params }) => poseOf(params))),
  };
}

/** Where the eyes look, apart from how the head is held. */
export function lookOf({ gazeX = 0, gazeY = 0, headTurn = 0, headNod = 0 }: PuppetParams): {
  x: number;
  y: number;
} {
  return { x: gazeX + headTurn * counterGaze, y: gazeY + headNod * counterGaze };
}

function countBlinks(frames: readonly Frame[]): number {
  return frames.filter(
    ({ params }, i) => i > 0 && (params.blink ?? 0) >= 0.5 && (frames[i - 1]!.params.blink ?? 0) < 0.5,
  ).length;
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** The parts of a pose that are seen, each on a scale on which 1 is a large change. */
function poseOf(params: PuppetParams): number[] {
  const { headTurn = 0, headNod = 0, headTilt = 0, gazeX = 0, gazeY = 0, browRaise = 0 } = params;
  const { smile = 0, blink = 0, breath = 0, visemeWeights = {} } = params;
  const { aa = 0, oh = 0, E = 0, PP = 0, SS = 0 } = visemeWeights;
  return [
    headTurn,
    headNod,
    headTilt,
    gazeX,
    gazeY,
    browRaise,
    smile,
    blink,
    breath * 0.3,
    aa,
    oh,
    E,
    PP,
    SS,
  ];
}

/** The mean difference of the two stretches of two seconds that are most alike. Overlapping stretches are not compared. */
function leastDifference(poses: readonly number[][]): number {
  let least = Infinity;
  for (let first = 0; first + 2 * stretchFrames <= poses.length; first += stretchStep)
    for (let second = first + stretchFrames; second + stretchFrames <= poses.length; second++)
      least = Math.min(least, differenceOf(poses, first, second, least));
  return least;
}

/** The mean difference of the stretches that begin at these frames. Stops as soon as it is above `enough`. */
function differenceOf(poses: readonly number[][], first: number, second: number, enough: number): number {
  let sum = 0;
  for (let frame = 0; frame < stretchFrames; frame++) {
    const [a, b] = [poses[first + frame]!, poses[second + frame]!];
    for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
    if (sum / stretchFrames > enough) return Infinity;
  }
  return sum / stretchFrames;
}
