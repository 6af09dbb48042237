import type { ReactiveController } from "lit";
import type { AvatarSession } from "../../client/index.ts";
import {
  defaultDrawer,
  drawingSettingsSchema,
  isDrawer,
  type DrawingSettings,
} from "../../protocol/drawing-settings.ts";
import type { PublicContext } from "../../protocol/relay-api.ts";
import type { Stage } from "../../stage/index.ts";
import type { PanelHost } from "../panel/panel-host.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { LocalAvatar } from "./local/local-avatar.ts";

/** Whether the visitor's browser asks pages to load less. */
function savesData(): boolean {
  const connection: unknown = "connection" in navigator && navigator.connection;
  return (
    typeof connection === "object" &&
    connection !== null &&
    "saveData" in connection &&
    connection.saveData === true
  );
}

/**
 * Lets the browser draw the avatar of a live session where owner or page want it, and the service where it costs too much or cannot
 * be. The host's attribute `data-drawn` says who draws.
 */
export class DrawingChoice implements ReactiveController {
  readonly #host: PanelHost;
  readonly #stage: Stage;
  readonly #session: Pick<SessionController, "current" | "context" | "snapshot">;
  #local: LocalAvatar | null = null;
  #drawnFor: AvatarSession | null = null;
  /** Number of the present attempt: what an earlier one has loaded is dropped. */
  #attempt = 0;
  /** The context whose avatar this browser cannot draw well. */
  #unable: string | null = null;

  constructor(
    host: PanelHost,
    stage: Stage,
    session: Pick<SessionController, "current" | "context" | "snapshot">,
  ) {
    this.#host = host;
    this.#stage = stage;
    this.#session = session;
    host.addController(this);
    this.hostUpdated();
  }

  hostUpdated(): void {
    const { current, context, snapshot } = this.#session;
    const isLive = snapshot.state === "live" || (snapshot.state === "reconnecting" && this.#local !== null);
    const settings = isLive && current?.mode === "avatar" ? this.#wanted(context) : null;
    const wantedFor = settings && current;
    if (wantedFor === this.#drawnFor) return;
    this.#leave(isLive);
    this.#drawnFor = wantedFor;
    if (settings && current) void this.#draw(current, settings);
  }

  /** Nothing is drawn here any more. */
  stop(): void {
    this.#host.removeController(this);
    this.#leave(false);
  }

  /** What to draw here; null if the service is to draw. */
  #wanted(context: PublicContext | null): DrawingSettings | null {
    const settings = drawingSettingsSchema.safeParse(context?.["drawing"]).data;
    // A finished picture has its background, which only the service knows.
    if (!settings || context?.model_style.matte !== "packed-alpha" || this.#unable === context.context_id)
      return null;
    const wish = this.#host.getAttribute("render");
    const drawer = isDrawer(wish) ? wish : (settings.render ?? defaultDrawer);
    if (drawer === "remote" || (drawer === "auto" && savesData())) return null;
    return { ...settings, render: drawer };
  }

  async #draw(session: AvatarSession, { character, render }: DrawingSettings): Promise<void> {
    const attempt = ++this.#attempt;
    try {
      const { LocalAvatar } = await import("./local/local-avatar.ts");
      const box = this.#host.renderRoot;
      const isReduced = box instanceof Element && box.hasAttribute("data-still");
      const local = await LocalAvatar.load(character, this.#stage, {
        // Who explicitly wants it here gets it here.
        mayBeSlow: render === "local",
        isReduced: isReduced || matchMedia("(prefers-reduced-motion: reduce)").matches,
        framePx: box.querySelector(".vv-stage")?.clientHeight ?? 0,
        handleTooSlow: () => this.#giveUp(),
      });
      if (attempt !== this.#attempt || !session.connection) {
        local.stop();
        return;
      }
      this.#local = local;
      local.drive(session, () => this.#host.setAttribute("data-drawn", "local"));
    } catch {
      if (attempt === this.#attempt) this.#giveUp();
    }
  }

  /** The service draws from now on. */
  #giveUp(): void {
    this.#unable = this.#session.context?.context_id ?? null;
    this.hostUpdated();
  }

  #leave(isLive: boolean): void {
    this.#attempt++;
    this.#drawnFor = null;
    this.#host.removeAttribute("data-drawn");
    if (isLive) this.#local?.handOver();
    else this.#local?.stop();
    this.#local = null;
  }
}
