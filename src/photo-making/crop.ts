import { chin, cheeks, forehead } from "../photo/landmarks.ts";
import type { Point } from "../photo/numbers.ts";
import type { Framing } from "./maker-requests.ts";

/** A person's place in a photograph, in pixels. */
export interface PlacedPerson {
  /** The size of the photograph. */
  readonly width: number;
  readonly height: number;
  readonly landmarks: readonly Point[];
  /** The highest row of the hair. */
  readonly hairTop: number;
}

/** A square of a photograph, in its pixels. It may reach beyond the photograph's edges. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** The square around a face, in heights of the face: its side, and the room above the forehead and above the hair. */
const crops: Readonly<Record<Framing, { side: number; above: number; aboveHair: number }>> = {
  close: { side: 1.75, above: 0.42, aboveHair: 0.05 },
  usual: { side: 2.05, above: 0.52, aboveHair: 0.08 },
  wide: { side: 2.5, above: 0.66, aboveHair: 0.16 },
};
/** A smaller square would leave out the neck. */
const leastSide = 1.7;
/**
 * The room that a head needs, in heights of the face: above the forehead and the hair, below the chin, and beside the cheeks. A head
 * that moves would show where the photograph ends.
 */
const room = { above: 0.15, aboveHair: 0.015, below: 0.18, beside: 0.14 } as const;

function measure({ landmarks }: PlacedPerson) {
  const [top, bottom] = [landmarks[forehead]![1], landmarks[chin]![1]];
  const [left, right] = [landmarks[cheeks[0]]![0], landmarks[cheeks[1]]![0]];
  return { top, bottom, left, right, face: bottom - top };
}

/** Whether the photograph's edges cut off the head, or leave no neck. */
export function isCutOff(person: PlacedPerson): boolean {
  const { top, bottom, left, right, face } = measure(person);
  return (
    top < room.above * face ||
    person.hairTop < room.aboveHair * face ||
    person.height - bottom < room.below * face ||
    Math.min(left, person.width - right) < room.beside * face
  );
}

/** The square of a photograph that becomes the character, for a person who is not cut off. */
export function cropOf(person: PlacedPerson, framing: Framing, keepsBackground: boolean): Crop {
  const { width, height, hairTop } = person;
  const { top, bottom, left, right, face } = measure(person);
  const { side: usual, above, aboveHair } = crops[framing];
  const least = leastSide * face;
  // Below the photograph there is nothing: the bust must reach the lower edge. Above the head there may be nothing.
  const wanted = Math.min(top - above * face, hairTop - aboveHair * face, height - least);
  // A background ends where the photograph does, unless that is too small.
  const y = keepsBackground && height >= least ? Math.max(0, wanted) : wanted;
  const most = Math.min(usual * face + (top - above * face - wanted), height - y);
  const isWide = keepsBackground && width >= Math.max(least, bottom + room.below * face - y);
  const side = isWide ? Math.min(most, width) : most;
  const x = (left + right) / 2 - side / 2;
  return { x: isWide ? Math.min(Math.max(0, x), width - side) : x, y, side };
}
