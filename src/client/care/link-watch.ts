import type { SessionEvents } from "../session-events.ts";
import type { AvatarConnection } from "../link/avatar-connection.ts";
import { hadGaps, QualityJudge, receivedOf, type LinkQuality, type Received } from "./link-quality.ts";
import type { TypedEvents } from "../typed-events.ts";

/** How often the connection's figures are looked at, in ms. */
const lookEveryMs = 2_000;

/** Watches how well sound and picture of a connection arrive. The session's listeners get each change. */
export function watchLink(
  connection: AvatarConnection,
  signal: AbortSignal,
  events: TypedEvents<SessionEvents>,
): void {
  let told: LinkQuality = "good";
  let measured: LinkQuality = "good";
  let isHeard = true;
  const update = () => {
    const quality = isHeard || connection.quiet ? measured : "lost";
    if (quality === told || signal.aborted) return;
    told = quality;
    events.emit("quality", { quality });
  };
  connection.events.on("heard", (heard) => {
    isHeard = heard;
    update();
  });
  connection.events.on("channelopen", () => {
    isHeard = true;
    update();
  });
  watchFigures(connection, signal, (quality) => {
    measured = quality;
    update();
  });
}

function watchFigures(
  connection: AvatarConnection,
  signal: AbortSignal,
  tell: (quality: LinkQuality) => void,
): void {
  const judge = new QualityJudge();
  let watched = connection.link;
  let before: Received | null = null;

  async function look(): Promise<void> {
    const { link } = connection;
    // Browsers may stop decoding in hidden pages, and the counts of a new link start at zero.
    if (document.hidden || !connection.healthy || link !== watched) before = null;
    watched = link;
    if (document.hidden || !connection.healthy || !link.peerConnection) return;
    const now = receivedOf(await link.peerConnection.getStats());
    if (before) tell(judge.judge(hadGaps(before, now)));
    before = now;
  }

  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs);
  signal.addEventListener("abort", () => clearInterval(timer));
}
