import type { MakerRequest } from "../../photo-making/maker-requests.ts";

/** A pose as the maker takes it. */
type Pose = Extract<MakerRequest, { type: "frame" }>["pose"];

/** What somebody lets the face do to see it. */
export type Gesture = "blink" | "turn";

/** How long each takes, in ms. A blink is slower than a real one, to be looked at. */
const lengthMs: Readonly<Record<Gesture, number>> = { blink: 700, turn: 3_200 };

/** The pose of a gesture that began `ms` ago; null: it is over. */
export function gesturePose(kind: Gesture, ms: number): Pose | null {
  const share = ms / lengthMs[kind];
  if (share >= 1) return null;
  if (kind === "blink") return { blink: Math.sin(Math.PI * share) };
  // To one side, then to the other. The eyes stay on the visitor.
  const headTurn = Math.sin(2 * Math.PI * share);
  return { headTurn, gazeX: -0.85 * headTurn };
}
