import { landmarkCount } from "../protocol/characters/photo-character.ts";

/** A landmark in shares of the picture's width and height; its depth in shares of the width. */
export type Landmark = readonly [x: number, y: number, z: number];

/** Finds faces and people, offline. */
export interface Detector {
  /** The landmarks of up to two faces. */
  faces(picture: HTMLCanvasElement): Promise<readonly (readonly Landmark[])[]>;
  /** The opacity of the people in a picture, as a picture of the same size. */
  people(picture: HTMLCanvasElement): Promise<ImageData>;
  /** The triangles of a face, without eyes and mouth. */
  readonly triangles: readonly number[];
}

/** Where the server has the files of the models. */
const folder = "mediapipe";

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`${address} could not be loaded.`)));
    script.src = address;
    document.head.append(script);
  });
}

async function startFaceMesh(): Promise<FaceMesh> {
  await loadScript(`${folder}/face_mesh/face_mesh.js`);
  const mesh = new FaceMesh({ locateFile: (file) => `${folder}/face_mesh/${file}` });
  mesh.setOptions({ maxNumFaces: 2, refineLandmarks: true });
  return mesh;
}

async function startSegmentation(): Promise<SelfieSegmentation> {
  await loadScript(`${folder}/selfie_segmentation/selfie_segmentation.js`);
  const segmentation = new SelfieSegmentation({
    locateFile: (file) => `${folder}/selfie_segmentation/${file}`,
  });
  segmentation.setOptions({ modelSelection: 0 });
  return segmentation;
}

/** Loads the models. They come from this page's own server, and nothing is sent anywhere. */
export async function startDetector(): Promise<Detector> {
  const mesh = await startFaceMesh();
  const segmentation = await startSegmentation();
  const nobody = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
  nobody.getContext("2d")?.fillRect(0, 0, 64, 64);
  return {
    triangles: trianglesOf(FACEMESH_TESSELATION),
    async faces(picture) {
      // Otherwise it looks where the face of the picture before was. A reset would start the models anew, which takes seconds.
      await mesh.send({ image: nobody });
      const found = new Promise<readonly (readonly MediaPipePoint[])[]>((resolve) => {
        mesh.onResults(({ multiFaceLandmarks = [] }) => resolve(multiFaceLandmarks));
      });
      await mesh.send({ image: picture });
      const faces = await found;
      return faces
        .filter((points) => points.length === landmarkCount)
        .map((points) => points.map(({ x, y, z }): Landmark => [x, y, z]));
    },
    async people(picture) {
      const mask = await peopleIn(picture, segmentation, nobody);
      // Once in a while the model's first answer has one value everywhere, and the next one is right.
      return isUniform(mask) ? peopleIn(picture, segmentation, nobody) : mask;
    },
  };
}

async function peopleIn(
  picture: HTMLCanvasElement,
  segmentation: SelfieSegmentation,
  nobody: HTMLCanvasElement,
): Promise<ImageData> {
  // Otherwise it mixes in what it found in the picture before.
  await segmentation.send({ image: nobody });
  const found = new Promise<CanvasImageSource>((resolve) => {
    segmentation.onResults(({ segmentationMask }) => resolve(segmentationMask));
  });
  await segmentation.send({ image: picture });
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser has no 2D canvas.");
  context.drawImage(await found, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

function isUniform({ data }: ImageData): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== data[3]) return false;
  return true;
}

function trianglesOf(edges: readonly (readonly [number, number])[]): number[] {
  const triangles: number[] = [];
  for (let i = 0; i + 2 < edges.length; i += 3) for (let k = 0; k < 3; k++) triangles.push(edges[i + k]![0]);
  return triangles;
}
