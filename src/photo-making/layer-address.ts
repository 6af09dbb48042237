const type = "image/webp";

/** Whether this browser writes WebP pictures. One that does not, such as Safari, writes PNG in their place. */
export async function writesWebp(): Promise<boolean> {
  const canvas = new OffscreenCanvas(1, 1);
  canvas.getContext("2d");
  return (await canvas.convertToBlob({ type })).type === type;
}

/** A layer as a data: address. */
export async function addressOf(image: ImageData | OffscreenCanvas, quality: number): Promise<string> {
  let canvas = image;
  if (canvas instanceof ImageData) {
    const drawn = new OffscreenCanvas(canvas.width, canvas.height);
    drawn.getContext("2d")?.putImageData(canvas, 0, 0);
    canvas = drawn;
  }
  const blob = await canvas.convertToBlob({ type, quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `data:${blob.type};base64,${btoa(text)}`;
}
