import type { PathEnvironment, PathLike } from "../canvas.ts";
import type { Character, Layer, Shape } from "../format/character.ts";
import type { FrameState } from "./frame-state.ts";
import { buildPath } from "./path-builder.ts";
import { findShape } from "../format/parse-character.ts";
import { PuppetError } from "../puppet-error.ts";
import { ShapeGeometry } from "./shape-geometry.ts";

/** A shape together with its geometry and the shapes that it is clipped to. */
export interface ScenePart {
  readonly shape: Shape;
  readonly geometry: ShapeGeometry;
  readonly clips: readonly ScenePart[];
}

/** A layer together with its parts and the shapes that it is clipped to. */
export interface SceneLayer {
  readonly layer: Layer;
  readonly clips: readonly ScenePart[];
  readonly parts: readonly ScenePart[];
}

/** The layers of one character, ready to draw. Each shape has its own buffers. */
export class Scene {
  readonly layers: readonly SceneLayer[];
  readonly #parts = new Map<Shape, ScenePart>();
  readonly #clipPaths = new WeakMap<ScenePart, { state: FrameState; path: PathLike }>();

  constructor(
    readonly character: Character,
    readonly env: PathEnvironment,
  ) {
    this.layers = character.layers.map((layer) => ({
      layer,
      clips: layer.clips.map((clip) => this.#part(clip.layer, clip.shape)),
      parts: layer.shapes.map((shape) => this.#part(layer, shape)),
    }));
  }

  /** The part with the name `layerId#pathId` or `layerId#index`. */
  find(ref: string): ScenePart {
    const found = findShape((id) => this.character.layers.find((layer) => layer.id === id), ref);
    if (!found) throw new PuppetError("UNKNOWN_REFERENCE", "", `the character has no path "${ref}"`);
    return this.#part(found.layer, found.shape);
  }

  /** The clip path of a part, built once per frame. */
  clipPath(part: ScenePart, state: FrameState): PathLike {
    const made = this.#clipPaths.get(part);
    if (made?.state === state) return made.path;
    const path = buildPath(this.env, part.shape.outline, part.geometry.points(state));
    this.#clipPaths.set(part, { state, path });
    return path;
  }

  /** Whether a layer is drawn. An optional layer is drawn only while its option is on. */
  isShown({ layer }: SceneLayer, { params }: FrameState): boolean {
    if (layer.optional === undefined) return true;
    return params.options[layer.optional] ?? this.character.options[layer.optional] ?? true;
  }

  #part(layer: Layer, shape: Shape): ScenePart {
    const known = this.#parts.get(shape);
    if (known) return known;
    const clips: ScenePart[] = [];
    const part = { shape, geometry: new ShapeGeometry(this.character, layer, shape), clips };
    this.#parts.set(shape, part);
    clips.push(...shape.clips.map((clip) => this.#part(clip.layer, clip.shape)));
    return part;
  }
}
