/** The parts of @mediapipe/face_mesh and @mediapipe/selfie_segmentation that are used. Both are scripts that make global names. */
interface MediaPipePoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface MediaPipeFiles {
  locateFile(file: string): string;
}

declare class FaceMesh {
  constructor(files: MediaPipeFiles);
  setOptions(options: { maxNumFaces: number; refineLandmarks: boolean }): void;
  onResults(take: (results: { multiFaceLandmarks?: readonly (readonly MediaPipePoint[])[] }) => void): void;
  send(input: { image: HTMLCanvasElement }): Promise<void>;
  reset(): void;
}

declare class SelfieSegmentation {
  constructor(files: MediaPipeFiles);
  setOptions(options: { modelSelection: number }): void;
  onResults(take: (results: { segmentationMask: CanvasImageSource }) => void): void;
  send(input: { image: HTMLCanvasElement }): Promise<void>;
}

/** Pairs of landmarks: three pairs in a row are the edges of a triangle. */
declare const FACEMESH_TESSELATION: readonly (readonly [number, number])[];
