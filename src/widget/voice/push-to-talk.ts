/** A press shorter than this keeps on talking until the next press. In ms. */
const holdMs = 350;

/** The button of push-to-talk. `pressed`: since a time, and talking; `on`: talking without being held; `ending`: pressed again. */
export type Press =
  | { readonly kind: "idle" }
  | { readonly kind: "pressed"; readonly sinceMs: number }
  | { readonly kind: "on" }
  | { readonly kind: "ending" };

/** What happens to the turn. `toggle`: it was no turn; hands-free is turned on or off. */
export type TurnCommand = "begin" | "send" | "cancel" | "toggle" | null;

/** What happens to the button: a press that was moved away from it (`away`) is taken back. `tap`: without a pointer or a key. */
export type Touch = "down" | "up" | "away" | "tap";

export const notPressed: Press = { kind: "idle" };

/**
 * The button after a touch, and what that does. Pure. `handsFree`: a short press does not talk until the next press, but turns
 * hands-free on or off.
 */
export function afterTouch(
  press: Press,
  touch: Touch,
  nowMs: number,
  handsFree = false,
): [press: Press, command: TurnCommand] {
  if (touch === "tap" && handsFree) return [notPressed, "toggle"];
  if (touch === "tap") return press.kind === "idle" ? [{ kind: "on" }, "begin"] : [notPressed, "send"];
  if (touch === "down") {
    if (press.kind === "idle") return [{ kind: "pressed", sinceMs: nowMs }, "begin"];
    return [press.kind === "on" ? { kind: "ending" } : press, null];
  }
  if (press.kind === "ending") return [notPressed, touch === "away" ? "cancel" : "send"];
  if (press.kind !== "pressed") return [press, null];
  if (touch === "away") return [notPressed, "cancel"];
  if (nowMs - press.sinceMs >= holdMs) return [notPressed, "send"];
  return handsFree ? [notPressed, "toggle"] : [{ kind: "on" }, null];
}
