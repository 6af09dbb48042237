import type { AvatarConnection } from "./avatar-connection.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { SessionRelay } from "./relay-client.ts";

/** How a call is closed: with END, with END that outlives the page, with ERROR, or because the service ended it. */
export type CallClose = "end" | "page-gone" | "fail" | "gone";

/** The life of one session of the service: its relay, its reports, and its connection where it has media. */
export class Call {
  readonly relay: SessionRelay;
  readonly heartbeat: Heartbeat;
  readonly connection: AvatarConnection | null;

  constructor(relay: SessionRelay, connection: AvatarConnection | null) {
    this.relay = relay;
    this.connection = connection;
    this.heartbeat = new Heartbeat((event, detail, keepalive) => relay.report(event, detail, keepalive));
  }

  /** Closes everything at once; resolves when the service has been told, or could not be. */
  async close(how: CallClose, detail = ""): Promise<void> {
    this.connection?.close();
    if (how === "gone") this.heartbeat.stop();
    else if (how === "fail") await this.heartbeat.fail(detail);
    else await this.heartbeat.end(how === "page-gone");
  }
}
