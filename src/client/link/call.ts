import type { AvatarConnection } from "./avatar-connection.ts";
import { Heartbeat } from "../care/heartbeat.ts";
import type { SessionRelay } from "../relay/relay-client.ts";

/**
 * How a call is closed: with END, with an END that outlives the page, with an announcement that the page goes away and another
 * one may take the session up, with ERROR, or because the service ended it.
 */
export type CallClose = "end" | "page-gone" | "leave" | "fail" | "gone";

/** The life of one session of the service: its relay, its reports, and its connection where it has media. */
export class Call {
  readonly relay: SessionRelay;
  readonly heartbeat: Heartbeat;
  readonly connection: AvatarConnection | null;

  constructor(relay: SessionRelay, connection: AvatarConnection | null, isReported = false) {
    this.relay = relay;
    this.connection = connection;
    this.heartbeat = new Heartbeat(
      (event, detail, keepalive) => relay.report(event, detail, keepalive),
      isReported,
    );
  }

  /** Closes everything at once. Resolves when the service has confirmed it or cannot be reached. */
  async close(how: CallClose, detail = ""): Promise<void> {
    this.connection?.close();
    if (how === "gone" || how === "leave") this.heartbeat.stop();
    if (how === "leave") this.relay.leave().catch(() => undefined);
    else if (how === "gone") return;
    else if (how === "fail") await this.heartbeat.fail(detail);
    else await this.heartbeat.end(how === "page-gone");
  }
}
