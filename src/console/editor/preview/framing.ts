import type { Paddings } from "../../../protocol/settings/stage-settings.ts";

/** A movement of the avatar in its frame, in pixels of the frame. */
interface Movement {
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const within = (value: number, least: number, most: number): number =>
  Math.round(Math.min(Math.max(value, least), most) * 1000) / 1000;

const smallest = 0.2;

/** Paddings within their ranges, to a thousandth. */
function bounded({ padding_left: left, padding_top: top, padding_height: height }: Paddings): Paddings {
  return {
    padding_left: within(left, -1, 1),
    padding_top: within(top, 0, 1),
    padding_height: within(height, smallest, 5),
  };
}

/** The paddings after a drag. */
export function moved(paddings: Paddings, { x, y }: Movement, frame: Size): Paddings {
  return bounded({
    ...paddings,
    padding_left: paddings.padding_left + x / frame.width,
    padding_top: paddings.padding_top + y / frame.height,
  });
}

/** The paddings after a corner was dragged upwards (`y` negative: larger). The foot of the avatar stays where it is. */
export function resized(paddings: Paddings, y: number, frame: Size): Paddings {
  const height = paddings.padding_height - y / frame.height;
  return scaled(paddings, height);
}

function scaled(paddings: Paddings, wanted: number): Paddings {
  const height = within(wanted, smallest, 5);
  const foot = paddings.padding_top + paddings.padding_height;
  return bounded({ ...paddings, padding_height: height, padding_top: foot - height });
}

/** A key that changes the framing: arrows move by 1 %, with Shift by 10 %; + and − change the size. Null: another key. */
export function afterKey(paddings: Paddings, key: string, isLarge: boolean): Paddings | null {
  const step = isLarge ? 0.1 : 0.01;
  const { padding_left: left, padding_top: top, padding_height: height } = paddings;
  switch (key) {
    case "ArrowLeft":
      return bounded({ ...paddings, padding_left: left - step });
    case "ArrowRight":
      return bounded({ ...paddings, padding_left: left + step });
    case "ArrowUp":
      return bounded({ ...paddings, padding_top: top - step });
    case "ArrowDown":
      return bounded({ ...paddings, padding_top: top + step });
    case "+":
    case "=":
      return scaled(paddings, height + step);
    case "-":
      return scaled(paddings, height - step);
    default:
      return null;
  }
}

/** A share of the frame as a form shows it: `12 %`. */
export const percent = (share: number): string => `${Math.round(share * 100)}`;

/** The share in a form's text (`12`, `12 %`, `-3,5`); null if it is no number. */
export function shareOf(text: string): number | null {
  const bare = text.replace("%", "").replace(",", ".").replace("−", "-").trim();
  const value = bare === "" ? Number.NaN : Number(bare);
  return Number.isFinite(value) ? Math.round(value * 10) / 1000 : null;
}
