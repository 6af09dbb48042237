import { createRequire } from "node:module";
import { dirname } from "node:path";
import { folderAssets } from "../relay/folder-assets.ts";
import type { RelayAsset } from "../relay/index.ts";

/** The packages with the models that find faces and people in a photograph. */
const packages = ["face_mesh", "selfie_segmentation"] as const;

const fileName = /^[a-z_]+(?:\.[a-z]+)+$/;

type ReadFile = (file: string) => Promise<RelayAsset | null>;

/** The files of these packages, as they are installed. */
export function modelFiles(): (name: string, file: string) => Promise<RelayAsset | null> {
  const { resolve } = createRequire(import.meta.url);
  const readers = new Map<string, ReadFile>();
  return (name, file) => {
    if (!packages.some((known) => known === name) || !fileName.test(file)) return Promise.resolve(null);
    let read = readers.get(name);
    if (!read) {
      const assets = folderAssets(dirname(resolve(`@mediapipe/${name}/package.json`)));
      read = (path) => assets.read(path);
      readers.set(name, read);
    }
    return read(file);
  };
}
