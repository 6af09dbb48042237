/** What moves smoothly when the panel's layout changes. Parts of a part move with it. */
const moving = [
  ".vv-top>*,.vv-tools>*,.vv-badge,.vv-badge>*,.vv-badge .stop",
  ".vv-overlay,.vv-overlay>div,.vv-overlay>div>*,.vv-overlay .r>*",
  ".vv-panel>*,.vv-captions>*,.vv-controls>*,.vv-text>*",
  // The rows that can be in view. Measuring all of a long conversation would cost too much.
  ".vv-log>:nth-last-child(-n+12)",
].join();

const resizeMs = 360;
const glideMs = 180;
const easing = "cubic-bezier(.3,0,.2,1)";
/** The picture takes over a smaller change of its height at once: at each size it is framed and drawn again. */
const smallPx = 64;
/** A smaller move cannot be seen. */
const leastPx = 1;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Shape and place of the picture's frame in the panel, in CSS pixels. */
interface Frame extends Point, Size {
  readonly radius: number;
  /** The picture's own size, which is on its way to the frame's while it moves. */
  readonly picture: Size;
}

/**
 * Measures the panel before a change of its layout. The returned function is called after the change, and lets each part
 * that has moved glide from where it was: nothing jumps while the visitor reads or is about to click. With `reduced` all is
 * in its place at once. The layout is read without the motions that run: new ones are added to them.
 */
export function measureLayout(root: ParentNode): ((reduced: boolean) => void) | null {
  const panel = root.querySelector<HTMLElement>(".vv-panel");
  if (!panel?.offsetHeight) return null;
  const [places, frame] = [placesOf(panel.querySelectorAll(moving), panel), frameIn(panel)];
  return (reduced) => {
    const now = frameIn(panel);
    const kind = frame && now ? changeOf(frame, now) : "none";
    const duration = reduced || kind === "other" ? 1 : kind === "size" ? resizeMs : glideMs;
    glide(places, placesOf(panel.querySelectorAll(moving), panel), panel, { duration, easing });
    if (!frame || !now || kind === "none") return;
    resize(panel, frame, now, { duration, easing });
    if (!reduced) fadeIn(panel);
  };
}

/** Changes what stands in a box, and lets its parts glide to their new places. */
export function glideThrough(box: HTMLElement, change: () => void): void {
  const places = () => placesOf([box, ...box.children], null);
  const before = places();
  change();
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  glide(before, places(), null, { duration: reduced ? 1 : glideMs, easing });
}

/** Lets parts glide from where they were before the change. Each part comes after those that it is in. */
function glide(
  before: ReadonlyMap<Element, Point>,
  now: ReadonlyMap<HTMLElement, Point>,
  panel: Element | null,
  timing: KeyframeAnimationOptions,
): void {
  const moves = new Map<Element, Point>();
  for (const [part, place] of now) {
    const was = before.get(part);
    const carrier = carrierOf(part, panel, moves);
    // A new part moves with what it is in.
    const move = was ? { x: was.x - place.x, y: was.y - place.y } : carrier;
    moves.set(part, move);
    const own = { x: move.x - carrier.x, y: move.y - carrier.y };
    if (Math.abs(own.x) >= leastPx || Math.abs(own.y) >= leastPx) moveFrom(part, own, timing);
  }
}

function carrierOf(part: Element, panel: Element | null, moves: ReadonlyMap<Element, Point>): Point {
  for (let around = part.parentElement; around && around !== panel; around = around.parentElement) {
    const move = moves.get(around);
    if (move) return move;
  }
  return { x: 0, y: 0 };
}

/** What glides, and how far it still has to go. */
const gliding = new WeakMap<Element, { left(): Point; stop(): void }>();

/**
 * Lets a part come from (x, y) to its place. Browsers count it as a jump when a part that glides gets another place, although it is drawn
 * where it was: so it stands still without an animation in that frame, and glides on from there.
 */
function moveFrom(part: HTMLElement, { x, y }: Point, timing: KeyframeAnimationOptions): void {
  const running = gliding.get(part);
  if (!running) {
    play(part, { x, y }, timing);
    return;
  }
  const { x: leftX, y: leftY } = running.left();
  running.stop();
  const from = { x: x + leftX, y: y + leftY };
  // A part that its style sheet moves too would lose that move.
  if (getComputedStyle(part).translate !== "none") {
    play(part, from, timing);
    return;
  }
  part.style.translate = `${from.x}px ${from.y}px`;
  const stop = (): void => {
    part.style.removeProperty("translate");
    gliding.delete(part);
  };
  const own = { left: () => from, stop };
  gliding.set(part, own);
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (gliding.get(part) !== own) return;
      stop();
      play(part, from, timing);
    }),
  );
}

/**
 * Animates a part from (x, y) to its place. What is added to a place is animated on the page's thread: otherwise a further change within its
 * time would start from an outdated place. It ends two frames late, because browsers count the step of a last frame that comes late as a jump
 * of the layout.
 */
function play(part: Element, { x, y }: Point, timing: KeyframeAnimationOptions): void {
  const keyframes = { translate: [`${x}px ${y}px`, "0px 0px"] };
  const animation = part.animate(keyframes, { ...timing, composite: "add", fill: "forwards" });
  const own = {
    left(): Point {
      const left = 1 - (animation.effect?.getComputedTiming().progress ?? 0);
      return { x: x * left, y: y * left };
    },
    stop(): void {
      animation.cancel();
      gliding.delete(part);
    },
  };
  gliding.set(part, own);
  const end = (): void => {
    if (gliding.get(part) === own) own.stop();
  };
  animation.onfinish = () => requestAnimationFrame(() => requestAnimationFrame(end));
}

/**
 * Animates picture and ring from the shape that they had to that of their frame, which has its new shape at once and carries them.
 * The picture is framed again at every size, so that the face moves as one.
 */
function resize(panel: Element, before: Frame, now: Frame, timing: KeyframeAnimationOptions): void {
  const frame = panel.querySelector<HTMLElement>(".vv-window");
  if (!frame) return;
  if (Math.hypot(before.x - now.x, before.y - now.y) > leastPx) layOutAnew(frame);
  const sized = ({ width, height }: Size, radius: number, mat: number): Keyframe => ({
    inset: `${-mat}px auto auto ${-mat}px`,
    width: `${width + 2 * mat}px`,
    height: `${height + 2 * mat}px`,
    borderRadius: `${radius}px`,
  });
  const ringMat = parseFloat(getComputedStyle(frame).getPropertyValue("--visavis-mat-width")) || 10;
  for (const [name, mat] of [
    [".vv-view", 0],
    [".vv-ring", ringMat],
  ] as const) {
    const keyframes = [sized(before.picture, before.radius, mat), sized(now, now.radius, mat)];
    frame.querySelector(name)?.animate(keyframes, timing);
  }
  const corner = ({ radius }: Frame): Keyframe => ({ rx: `${radius + 5}px` });
  for (const outline of frame.querySelectorAll(".vv-ring rect"))
    outline.animate([corner(before), corner(now)], timing);
}

/** Fades in what is new below the picture. */
function fadeIn(panel: Element): void {
  panel
    .querySelector(".vv-window")
    ?.nextElementSibling?.animate({ opacity: [0, 1] }, { duration: 160, delay: 80, fill: "backwards" });
}

/**
 * Browsers count it as a jump when a picture that is cut off gets another place, although a translation keeps it where it was. What is
 * laid out anew is not compared.
 */
function layOutAnew(frame: HTMLElement): void {
  frame.style.display = "none";
  frame.getBoundingClientRect();
  frame.style.removeProperty("display");
}

/** How the frame's shape has changed: hardly, in its size, or to another kind of picture. */
function changeOf(before: Frame, now: Frame): "none" | "size" | "other" {
  const wider = Math.abs(now.width - before.width);
  const moved = Math.hypot(now.x - before.x, now.y - before.y);
  if (wider < 2 && moved < 2 && Math.abs(now.height - before.height) <= smallPx) return "none";
  return wider > before.width ? "other" : "size";
}

function placesOf(parts: Iterable<Element>, panel: Element | null): Map<HTMLElement, Point> {
  const places = new Map<HTMLElement, Point>();
  for (const part of parts) if (part instanceof HTMLElement) places.set(part, placeIn(panel, part));
  return places;
}

function frameIn(panel: HTMLElement): Frame | null {
  const frame = panel.querySelector<HTMLElement>(":scope>.vv-window");
  const view = frame?.querySelector<HTMLElement>(".vv-view");
  if (!frame?.offsetHeight || !view) return null;
  const { width, height } = sizeOf(frame);
  const { borderTopLeftRadius: radius } = getComputedStyle(frame);
  return {
    ...placeIn(panel, frame),
    ...{ width, height },
    picture: sizeOf(view),
    radius: radius.endsWith("%") ? height / 2 : parseFloat(radius) || 0,
  };
}

const sizeOf = ({ offsetWidth, offsetHeight }: HTMLElement): Size => ({
  width: offsetWidth,
  height: offsetHeight,
});

/** Where the layout puts an element in the panel or the window, whatever moves it at present. */
function placeIn(panel: Element | null, element: HTMLElement): Point {
  let [x, y] = [0, 0];
  for (
    let part: Element | null = element;
    part instanceof HTMLElement && part !== panel;
    part = part.offsetParent
  ) {
    x += part.offsetLeft;
    y += part.offsetTop;
  }
  return { x, y };
}
