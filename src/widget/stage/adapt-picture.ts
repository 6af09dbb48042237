import type { Stage } from "../../stage/index.ts";
import { DrawingChoice } from "../drawing/drawing-choice.ts";
import type { PanelHost } from "../panel/panel-host.ts";
import type { SessionController } from "../session/session-controller.ts";
import { PictureQuality, type PictureOutlet } from "./picture-quality.ts";

/** Adapts the picture to the page until it is stopped: who draws it, and how well. Comes with the controls. */
export function adaptPicture(
  host: PanelHost,
  stage: Stage,
  session: SessionController,
  outlet: PictureOutlet,
): { stop(): void } {
  const quality = new PictureQuality(host, stage, outlet);
  const choice = new DrawingChoice(host, stage, session);
  return {
    stop() {
      choice.stop();
      quality.stop();
    },
  };
}
