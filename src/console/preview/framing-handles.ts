import type { Paddings } from "../../protocol/settings/stage-settings.ts";
import { framingOf } from "../../widget/stage/framing.ts";
import type { SetPaddings } from "../../widget/stage/set-paddings.ts";
import { afterKey, moved, percent, resized } from "../editor/preview/framing.ts";
import type { PreviewShow } from "../editor/preview/preview-message.ts";

interface Parts {
  readonly root: HTMLElement;
  readonly move: HTMLElement;
  /** At one upper corner: also a slider for keys. */
  readonly resize: HTMLElement;
  /** At the other one, for the pointer alone. */
  readonly corner: HTMLElement;
}

/** The avatar that is framed. */
interface FramedAvatar {
  /** Null where none is drawn. */
  readonly picture: HTMLElement | null;
  /** Its picture has a background of its own. */
  readonly isOpaque: boolean;
}

/** The handles above the picture that move and size the avatar: by pointer and by keys. */
export class FramingHandles {
  readonly #parts: Parts;
  readonly #avatar: FramedAvatar;
  readonly #changed: (paddings: Paddings) => void;
  #labels: PreviewShow["framing"] = null;
  #set: SetPaddings = {};

  /** `changed` is called with each change. */
  constructor(parts: Parts, avatar: FramedAvatar, changed: (paddings: Paddings) => void) {
    this.#parts = parts;
    this.#avatar = avatar;
    this.#changed = changed;
    for (const part of [parts.move, parts.resize, parts.corner])
      part.addEventListener("pointerdown", this.#grab);
    for (const part of [parts.move, parts.resize]) part.addEventListener("keydown", this.#press);
    // The panel moves by itself: with the window, and while it opens.
    const follow = (): void => {
      this.#draw();
      requestAnimationFrame(follow);
    };
    requestAnimationFrame(follow);
  }

  /** Shows the handles with these labels, or hides them. */
  show(labels: PreviewShow["framing"], paddings: SetPaddings): void {
    this.#labels = labels;
    this.#set = paddings;
    this.#draw();
  }

  /** Where the avatar stands now: by the owner's settings, else as the widget places it in such a frame. */
  #paddings(frame: HTMLElement): Paddings {
    const { paddingLeft, paddingTop, paddingHeight } = framingOf(
      this.#set,
      frame.offsetWidth,
      frame.offsetHeight,
      this.#avatar.isOpaque,
    );
    return { padding_left: paddingLeft, padding_top: paddingTop, padding_height: paddingHeight };
  }

  #draw(): void {
    const { root, move, resize, corner } = this.#parts;
    const picture = this.#avatar.picture;
    const box = picture?.getBoundingClientRect();
    const isHidden = !this.#labels || !picture || !box || box.width === 0;
    root.hidden = isHidden;
    if (isHidden) return;
    Object.assign(
      root.style,
      inPixels({ left: box.left, top: box.top, width: box.width, height: box.height }),
    );
    const { padding_left: left, padding_top: top, padding_height: height } = this.#paddings(picture);
    const size = height * box.height;
    const middle = (0.5 + left) * box.width;
    const edge = { left: middle - size / 2, right: middle + size / 2, top: top * box.height };
    Object.assign(move.style, inPixels({ left: edge.left, top: edge.top, width: size, height: size }));
    // The corners stay within reach where the avatar is larger than its frame.
    const within = (left: number): Record<string, string> =>
      inPixels({
        left: clamped(left, 24, box.width - 24),
        top: clamped(edge.top, 24, box.height - 24),
      });
    Object.assign(resize.style, within(edge.right));
    Object.assign(corner.style, within(edge.left));
    move.setAttribute("aria-label", this.#labels?.move ?? "");
    resize.setAttribute("aria-label", this.#labels?.resize ?? "");
    resize.setAttribute("aria-valuenow", percent(height));
    resize.setAttribute("aria-valuetext", `${percent(height)} %`);
  }

  #apply(paddings: Paddings): void {
    this.#set = paddings;
    this.#changed(paddings);
    this.#draw();
  }

  readonly #grab = (event: PointerEvent): void => {
    const picture = this.#avatar.picture;
    const handle = event.currentTarget;
    if (!picture || !(handle instanceof HTMLElement)) return;
    handle.setPointerCapture(event.pointerId);
    const begun = this.#paddings(picture);
    const frame = { width: picture.offsetWidth, height: picture.offsetHeight };
    const drag = ({ clientX, clientY }: PointerEvent): void => {
      const by = { x: clientX - event.clientX, y: clientY - event.clientY };
      this.#apply(handle === this.#parts.move ? moved(begun, by, frame) : resized(begun, by.y, frame));
    };
    const end = (): void => {
      handle.removeEventListener("pointermove", drag);
    };
    handle.addEventListener("pointermove", drag);
    handle.addEventListener("lostpointercapture", end, { once: true });
  };

  readonly #press = (event: KeyboardEvent): void => {
    const picture = this.#avatar.picture;
    if (!picture) return;
    const isSize = event.currentTarget === this.#parts.resize;
    const sizeKeys: Record<string, string> = {
      ArrowUp: "+",
      ArrowRight: "+",
      ArrowDown: "-",
      ArrowLeft: "-",
    };
    const key = isSize ? (sizeKeys[event.key] ?? event.key) : event.key;
    const paddings = afterKey(this.#paddings(picture), key, event.shiftKey);
    if (!paddings) return;
    event.preventDefault();
    this.#apply(paddings);
  };
}

const clamped = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most);

function inPixels(box: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(box).map(([name, value]) => [name, `${value}px`]));
}
