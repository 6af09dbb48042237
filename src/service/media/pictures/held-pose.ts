import { counterGaze, PoseHold, type MovingCharacter, type PuppetParams } from "../../../puppet/index.ts";

/**
 * Head and chest are held as in a picture of this share of the size, so they may lag by a third more: the head 1.2 pixels at the point that
 * moves most. Video has 25 frames a second: larger steps of a slow turn are seen less there than in what a browser draws, and each step is
 * a new picture of all parts of the head.
 */
const heldSize = 0.75;

/** How far brows and mouth may lag behind their pose, in device pixels. */
const heldFacePx = 0.25;

/** How far the eyes may lag, as a share of their reach: a twentieth of a pixel. */
const heldGaze = 0.01;

/** The parameters of the face that wander slowly, and roughly how far each moves what it moves most, in units. */
const reachUnits = { smile: 10, browRaise: 8, browConcern: 8.5, concern: 8.5 } as const;

type FaceMove = keyof typeof reachUnits;

/**
 * The poses that a server draws: besides head and chest, brows and smile stay still while their drift is too small to see, and the
 * eyes look from the head that is shown. So a resting face is the same in most frames, and those need not be drawn and encoded.
 */
export class HeldPose {
  readonly #pose: PoseHold;
  readonly #scale: number;
  #face: Record<FaceMove, number> | undefined;
  #gazeX: number | undefined;
  #gazeY: number | undefined;

  /** For pictures of `sizePx`. */
  constructor(character: MovingCharacter, sizePx: number) {
    this.#pose = new PoseHold(character, sizePx * heldSize);
    this.#scale = sizePx / character.sizeUnits;
  }

  /** The pose to draw instead of this one. */
  hold(params: PuppetParams): PuppetParams {
    const shown = this.#pose.hold(params);
    // Without this, the eyes would move a little against a head that is held.
    this.#gazeX = held(this.#gazeX, gazeFrom(params.gazeX, params.headTurn, shown.headTurn));
    this.#gazeY = held(this.#gazeY, gazeFrom(params.gazeY, params.headNod, shown.headNod));
    return { ...shown, ...this.#holdFace(params), gazeX: this.#gazeX, gazeY: this.#gazeY };
  }

  #holdFace({
    smile = 0,
    browRaise = 0,
    browConcern = 0,
    concern = 0,
  }: PuppetParams): Record<FaceMove, number> {
    const now = { smile, browRaise, browConcern, concern };
    const held = this.#face ?? now;
    const near = (name: FaceMove): number =>
      Math.abs(now[name] - held[name]) * reachUnits[name] * this.#scale < heldFacePx ? held[name] : now[name];
    return (this.#face = {
      smile: near("smile"),
      browRaise: near("browRaise"),
      browConcern: near("browConcern"),
      concern: near("concern"),
    });
  }
}

function held(last: number | undefined, now: number): number {
  return last !== undefined && Math.abs(now - last) < heldGaze ? last : now;
}

/** The gaze that looks to the same place from the head that is shown. Far to the side, it is at its limit already. */
function gazeFrom(gaze = 0, head = 0, shownHead = 0): number {
  return Math.abs(gaze) >= 1 ? gaze : gaze + (head - shownHead) * counterGaze;
}
