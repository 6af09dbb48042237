import type { PixelBox, PuppetParams } from "../../../puppet/index.ts";

/** What a thread that draws a photo character is started with. */
export interface PhotoWorkerData {
  /** Absolute path of the character's file. */
  readonly file: string;
  /** Side of the picture in pixels. */
  readonly size: number;
}

/** A picture that a session waits for. The buffer comes back with the answer. */
export interface PhotoOrder {
  /** The session's picture. */
  readonly picture: number;
  readonly params: PuppetParams;
  readonly buffer: ArrayBuffer;
}

/** The whole picture, and the box of what changed since this session's last one; null: nothing. */
export type PhotoAnswer =
  | { readonly picture: number; readonly buffer: ArrayBuffer; readonly box: PixelBox | null }
  | { readonly fault: string };

/** A picture that is no longer needed. */
export interface PhotoRelease {
  readonly released: number;
}
