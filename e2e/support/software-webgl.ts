import { systemChromium } from "./system-chromium.ts";

/**
 * Runs in the page before its scripts: WebGL is used also where the processor does the GPU's work, as on machines for tests. The
 * widget draws in a 2D canvas there.
 */
export function allowSoftwareWebgl(): void {
  // WEBGL_debug_renderer_info.UNMASKED_RENDERER_WEBGL
  const unmaskedRenderer = 0x9246;
  const context = WebGL2RenderingContext.prototype;
  const native = context.getParameter;
  context.getParameter = function (name: number): unknown {
    return name === this.RENDERER || name === unmaskedRenderer ? "a GPU" : native.call(this, name);
  };
}

/** Launch options of a browser that draws WebGL without a GPU. */
export const softwareWebglBrowser = {
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
  ],
  ...(systemChromium && { executablePath: systemChromium }),
};
