import type { PanelHost } from "../panel/panel-host.ts";
import type { ReactiveController } from "lit";
import type { AvatarConnection } from "../../client/link/avatar-connection.ts";
import type { HttpLink } from "../../client/http-voice/http-link.ts";
import { hasPeers } from "../../client/session-mode.ts";
import { isActive } from "../../client/session-phase.ts";
import { untilLoaded } from "../../client/until-loaded.ts";
import { type Drawer, drawingSettingsSchema, isDrawer } from "../../protocol/settings/drawing-settings.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";
import type { Stage } from "../../stage/index.ts";
import type { SessionController } from "../session/session-controller.ts";
import { changedCharacter, loadLook } from "./looks.ts";
import { hasVideo } from "./has-video.ts";
import type { LocalAvatar } from "./local/local-avatar.ts";
import { LocalCharacter } from "./local/local-character.ts";
import { MessageLog } from "./message-log.ts";
import { untilIdle } from "./until-idle.ts";
import { VisitorEar } from "./visitor-ear.ts";

/** The height of the avatar's frame, in CSS pixels; 0 while it is not laid out. */
export function framePxOf({ renderRoot }: PanelHost): number {
  return renderRoot.querySelector(".vv-stage")?.clientHeight ?? 0;
}

/** The panel of `styles/panel/place.css` in CSS pixels, what is below the avatar's frame in it, and the page around it. */
const panelPx = 640;
const controlsPx = 216;
const marginsPx = 48;
/** On a narrower screen the panel takes all of it. */
const phonePx = 480;

/** Roughly the height that the avatar's frame will have in an open panel, in CSS pixels. */
export function expectedFramePx(): number {
  return (innerWidth < phonePx ? innerHeight : Math.min(panelPx, innerHeight - marginsPx)) - controlsPx;
}

/** Whether visitor or page want little motion. */
export function isStill({ renderRoot }: PanelHost): boolean {
  const isWanted = renderRoot instanceof Element && renderRoot.hasAttribute("data-still");
  return isWanted || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** What only some browsers tell of themselves. */
interface ToldNavigator {
  readonly connection?: { readonly saveData?: boolean };
  /** In GB. */
  readonly deviceMemory?: number;
}
/** Devices with so little memory have none to spare for the pictures of an avatar. */
const littleMemoryGb = 2;

/** Whether the visitor's browser asks pages to load less, or its device has little memory. */
function isSmall(): boolean {
  const { connection, deviceMemory = Infinity }: Navigator & ToldNavigator = navigator;
  return connection?.saveData === true || deviceMemory <= littleMemoryGb;
}

type ChoiceSession = Pick<SessionController, "current" | "context" | "snapshot" | "drawer" | "isDrawn">;

/** What to draw here, and whether it must be drawn here whatever it costs. */
interface Wanted {
  readonly url: string;
  readonly mayBeSlow: boolean;
}

/** A character that is being loaded, or is there. */
interface Loaded {
  readonly wanted: Wanted;
  character: LocalCharacter | null;
}

/** It has no style sheet of its own. */
export const css = "";
/** With so many processors or fewer, a frame that is drawn as a trial could delay a click. */
const fewProcessors = 2;

const choices = new WeakMap<Stage, DrawingChoice>();

/** Lets the stage's avatar be drawn by whom owner and page want, until the element is removed. Called again, it changes nothing. */
export function chooseDrawing(host: PanelHost, stage: Stage, session: ChoiceSession): DrawingChoice {
  const choice = choices.get(stage) ?? new DrawingChoice(host, stage, session);
  choices.set(stage, choice);
  return choice;
}

/**
 * Lets the browser draw the avatar where owner or page want it, and the service where it costs too much or cannot be. A session that
 * begins after that is known has no video at all. The host's attribute `data-drawn` says who draws.
 */
class DrawingChoice implements ReactiveController {
  readonly #host: PanelHost;
  readonly #stage: Stage;
  readonly #session: ChoiceSession;
  /** Who waits until the page has time. */
  readonly #waiting: (() => void)[] = [];
  /** What is being loaded or is there. */
  #loaded: Loaded | null = null;
  /** The character that a session has since the page has changed it. */
  #changed: { readonly sessionId: string; readonly url: string } | null = null;
  readonly #ear = new VisitorEar();
  #followed: AvatarConnection | null = null;
  #stopLook: (() => void) | undefined;
  #log: MessageLog | null = null;
  #local: LocalAvatar | null = null;
  /** The character that it has. */
  #worn: LocalCharacter | null = null;
  /** The avatar that has its connection. */
  #driven: LocalAvatar | null = null;
  /** It stays until the video is there. */
  #held: LocalAvatar | null = null;
  #bringing = false;
  /** Number of the present avatar or its loading: what an earlier one still does is dropped. */
  #attempt = 0;
  /** The context whose avatar this browser cannot draw well enough for `auto`, and the one that it cannot draw at all. */
  #slow: string | null = null;
  #unable: string | null = null;

  constructor(host: PanelHost, stage: Stage, session: ChoiceSession) {
    this.#host = host;
    this.#stage = stage;
    this.#session = session;
    host.addController(this);
    this.hostUpdated();
  }

  hostUpdated(): void {
    for (const look of this.#waiting.splice(0)) look();
    const { current, context, snapshot } = this.#session;
    const wanted = current?.mode === "avatar" ? this.#wanted(context) : null;
    if (wanted) this.#load(wanted);
    const isRunning = isActive(snapshot);
    if (context && !isRunning) this.#chooseOffer(wanted);
    const connection = isRunning ? (current?.connection ?? null) : null;
    if (connection !== this.#followed) this.#follow(connection);
    if (!connection) {
      // What a click begins without video need not wait for its session to be seen.
      if (snapshot.state === "connecting" && wanted && this.#session.isDrawn) this.#appear();
      else this.#stopLocal();
      return;
    }
    // Before its context is there, nobody knows what is wanted.
    if (!context) return;
    if (!wanted) this.#leave(connection);
    // Before the first frame of a video, nothing shares the page's time with it.
    else if (snapshot.state !== "connecting" || !hasVideo(connection)) this.#draw();
  }

  hostDisconnected(): void {
    // An element that is only moved in the page keeps its avatar.
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.#stop();
    });
  }

  /** What to draw here; null if the service is to draw. */
  #wanted(context: PublicContext | null): Wanted | null {
    const settings = drawingSettingsSchema.safeParse(context?.["drawing"]).data;
    // A finished picture, with its background, is the service's.
    if (!settings || context?.model_style.matte !== "packed-alpha") return null;
    const drawer = this.#drawer(context);
    // Who explicitly wants it here gets it here.
    const mayBeSlow = drawer === "local";
    const { context_id: id } = context;
    if (drawer === "remote" || id === this.#unable) return null;
    if (!mayBeSlow && (id === this.#slow || isSmall())) return null;
    const { sessionId = null } = this.#session.current ?? {};
    const url = this.#changed?.sessionId === sessionId ? this.#changed.url : settings.character;
    const { wanted } = this.#loaded ?? {};
    return wanted?.url === url && wanted.mayBeSlow === mayBeSlow ? wanted : { url, mayBeSlow };
  }

  #drawer(context: PublicContext | null): Drawer {
    if (this.#isOnlyWay) return "local";
    return [this.#session.drawer, context?.render].find(isDrawer) ?? "remote";
  }

  /** Without a peer connection there is no video. */
  get #isOnlyWay(): boolean {
    return !hasPeers() || this.#link !== null;
  }

  /** What takes the place of a peer connection; null where there is one. */
  get #link(): HttpLink | null {
    const { link } = this.#session.current?.connection ?? {};
    return link?.peerConnection === null ? link : null;
  }

  /** A session begins without video if its avatar will surely be drawn here. */
  #chooseOffer(wanted: Wanted | null): void {
    const isSure = wanted !== null && (wanted.mayBeSlow || this.#loaded?.character != null);
    if (isSure === this.#session.isDrawn) return;
    this.#session.isDrawn = isSure;
    this.#session.current?.prepare();
  }

  #load(wanted: Wanted): void {
    if (this.#loaded?.wanted === wanted) return;
    const loaded: Loaded = { wanted, character: null };
    this.#loaded?.character?.drop();
    this.#loaded = loaded;
    this.#loadCharacter(wanted).then(
      (character) => {
        loaded.character = character;
        if (this.#loaded === loaded) this.#host.requestUpdate();
        else character.drop();
      },
      () => {
        if (this.#loaded === loaded) this.#giveUp();
      },
    );
  }

  async #loadCharacter({ url, mayBeSlow }: Wanted): Promise<LocalCharacter> {
    const pause = mayBeSlow ? undefined : () => this.#pause();
    await pause?.();
    const framePx = (): number =>
      this.#stage.avatarRect().height * (framePxOf(this.#host) || expectedFramePx());
    return LocalCharacter.load(await loadLook(url), framePx, pause);
  }

  /** Resolves when the page has time for something that nobody waits for. */
  async #pause(): Promise<void> {
    while (!this.#hasTime) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    await untilIdle();
  }

  /** Not while a conversation begins; before one, only where a click hardly has to wait for it. */
  get #hasTime(): boolean {
    const { state } = this.#session.snapshot;
    if (state === "live" || state === "reconnecting") return true;
    return state !== "connecting" && navigator.hardwareConcurrency > fewProcessors;
  }

  /** The face is there as soon as its frame is. */
  #appear(): void {
    const character = this.#loaded?.character;
    if (!character || this.#local || framePxOf(this.#host) === 0) return;
    this.#newLocal(character).appear();
    this.#host.setAttribute("data-drawn", "local");
  }

  #draw(): void {
    const { connection } = this.#session.current ?? {};
    const { character } = this.#loaded ?? {};
    if (!connection || !character || !this.#log) return;
    if (this.#local && character !== this.#worn) character.replaceIn(this.#local);
    this.#worn = character;
    if (this.#local && this.#local === this.#driven) return;
    const attempt = ++this.#attempt;
    this.#release();
    const local = (this.#driven = this.#local ?? this.#newLocal(character));
    local.drive(connection, this.#log, () => {
      if (attempt !== this.#attempt) return;
      this.#host.setAttribute("data-drawn", "local");
      this.#link?.handleDrawn();
    });
  }

  #newLocal(character: LocalCharacter): LocalAvatar {
    this.#worn = character;
    return (this.#local = character.avatar(this.#stage, {
      mayBeSlow: () => this.#loaded?.wanted.mayBeSlow,
      isOnlyWay: () => this.#isOnlyWay,
      isReduced: isStill(this.#host),
      framePx: framePxOf(this.#host),
      isSpeaking: () => this.#session.current?.activity === "speaking",
      visitorLevel: () => this.#ear.level(this.#session.current),
      handleTooSlow: () => this.#giveUp(),
    }));
  }

  /** The service draws from now on. The picture stays until the video's first frame is there. */
  #leave(connection: AvatarConnection): void {
    if (this.#link) {
      this.#write(this.#link);
      return;
    }
    if (this.#bringing || (!this.#local && hasVideo(connection))) return;
    const attempt = ++this.#attempt;
    this.#bringing = true;
    this.#held = this.#local;
    this.#local = null;
    this.#host.removeAttribute("data-drawn");
    this.#held?.hold();
    const isDropped = (): boolean => attempt !== this.#attempt;
    // Few sessions need it.
    void untilLoaded(() => import("./bring-video.ts"))
      .then(({ bringVideo }) =>
        bringVideo(connection, () => this.#session.current?.mediaElement ?? null, isDropped),
      )
      .then(() => {
        if (!isDropped()) this.#release();
      });
  }

  /** Nobody can draw the avatar: the conversation is in writing. */
  #write(link: HttpLink): void {
    if (this.#session.current?.mode !== "avatar") return;
    link.giveUp();
    this.#host.requestUpdate();
  }

  /** What was drawn here until the video came is not shown any more. */
  #release(): void {
    this.#bringing = false;
    this.#held?.stop();
    this.#held = null;
  }

  /** The service draws from now on. Somebody may still want it here whatever it costs. */
  #giveUp(): void {
    const id = this.#session.context?.context_id ?? null;
    if (this.#loaded?.wanted.mayBeSlow) this.#unable = id;
    else this.#slow = id;
    this.#loaded = null;
    this.hostUpdated();
  }

  /** Follows another connection, or none. */
  #follow(connection: AvatarConnection | null): void {
    this.#attempt++;
    this.#release();
    this.#log?.stop();
    this.#stopLook?.();
    // The face that has appeared for this connection stays.
    if (this.#followed || !connection) this.#stopLocal();
    this.#followed = connection;
    this.#log = connection && new MessageLog(connection);
    this.#stopLook = connection?.events.on("message", ({ type }) => {
      if (type === "template") this.#changeLook(connection);
    });
    if (connection) this.#changeLook(connection);
  }

  #stopLocal(): void {
    if (!this.#local) return;
    this.#local.stop();
    this.#local = this.#driven = null;
    this.#host.removeAttribute("data-drawn");
  }

  /** The service has told what the avatar looks like from now on. */
  #changeLook({ look, relay: { base, sessionId } }: AvatarConnection): void {
    const url = changedCharacter(look, base);
    if (url === null) return;
    this.#changed = { sessionId, url };
    this.#host.requestUpdate();
  }

  #stop(): void {
    this.#host.removeController(this);
    choices.delete(this.#stage);
    this.#waiting.length = 0;
    this.#loaded?.character?.drop();
    this.#loaded = null;
    this.#follow(null);
  }
}
