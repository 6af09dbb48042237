import { hasPeers } from "../../client/session-mode.ts";
import type { Stage } from "../../stage/index.ts";
import type { PanelHost } from "../panel/panel-host.ts";
import type { SessionController } from "../session/session-controller.ts";
import { watchPixelRatio } from "./pixel-ratio.ts";
import { PictureQuality, type PictureOutlet } from "./picture-quality.ts";

/** What a visitor does who is about to begin a conversation. */
const intents = ["pointerover", "pointerdown", "focusin"] as const;

/**
 * Adapts the picture to the page until it is stopped: how well it is drawn, and by whom, once there is a session or the visitor
 * reaches for it. Comes with the controls.
 */
export function adaptPicture(
  host: PanelHost,
  stage: Stage,
  session: SessionController,
  outlet: PictureOutlet,
): { stop(): void } {
  const quality = new PictureQuality(host, stage, outlet);
  const stopWatching = watchPixelRatio(() => quality.refresh());
  const watch = { hostUpdated: () => session.isBusy && choose() };
  const choose = (): void => {
    // Without a peer connection nobody else can draw.
    const isOnlyWay = !hasPeers() || session.current?.connection?.link.peerConnection === null;
    if ((session.drawer === "remote" && !isOnlyWay) || !session.context) return;
    stop();
    // If that cannot be loaded, it is tried again with the next change.
    import("../drawing/drawing-choice.ts").then(
      ({ chooseDrawing }) => chooseDrawing(host, stage, session),
      start,
    );
  };
  function start(): void {
    for (const intent of intents) host.addEventListener(intent, choose);
    host.addController(watch);
  }
  function stop(): void {
    for (const intent of intents) host.removeEventListener(intent, choose);
    host.removeController(watch);
  }
  start();
  return {
    stop() {
      stop();
      stopWatching();
      quality.stop();
    },
  };
}
