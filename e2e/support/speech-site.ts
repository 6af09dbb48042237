import { hostPage, startHostSite, type HostSite } from "./host-page.ts";
import { changeContext } from "./service-api.ts";
import { startServer, type Server } from "./stack.ts";
import { snippet } from "./widget.ts";

/** A server whose demo context recognizes speech with PocketSphinx, and a page with its widget. */
export interface SpeechSite {
  server: Server;
  site: HostSite;
  stop(): Promise<void>;
}

export async function startSpeechSite(): Promise<SpeechSite> {
  const server = await startServer();
  await changeContext(server, "ctx_demo", ({ embed_config }) => {
    embed_config["stt_type"] = "pocketsphinx";
  });
  const site = await startHostSite({ "/": hostPage(snippet(server.origin)) }, { relayOrigin: server.origin });
  return {
    server,
    site,
    async stop() {
      await site.close();
      await server.stop();
    },
  };
}
