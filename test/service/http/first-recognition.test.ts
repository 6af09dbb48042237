import { expect, test } from "vitest";
import { hasProgram } from "../../../src/service/speech/engines/command/command-engine.ts";
import { buildServer } from "../processes/server-build.ts";
import { startServer } from "../processes/server-process.ts";
import { temporaryFolder } from "../service-fixture.ts";

const key = "vv_first_session_key_0123456789";

test.skipIf(!hasProgram("pocketsphinx_continuous", process.env))(
  "the recognizer of a new store recognizes speech [needs PocketSphinx]",
  async () => {
    const server = await startServer(await buildServer(), "service", {
      VISAVIS_DATA: temporaryFolder(),
      VISAVIS_API_KEY: key,
    });
    const send = (path: string, body: object): Promise<Response> =>
      fetch(`${server.url}/api/v1/session/${path}`, {
        method: "POST",
        headers: { "XP-API-KEY": key, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    try {
      const recognizers = await fetch(`${server.url}/api/v1/settings/stt_type/`, {
        headers: { "XP-API-KEY": key },
      });
      expect(await recognizers.json()).toMatchObject([{ name: "pocketsphinx" }]);
      const created = await send("", {
        capability: ["TTS", "STT"],
        tts_type: "visavis-slt",
        stt_type: "pocketsphinx",
      });
      const { session_id: id } = (await created.json()) as { session_id: string };
      const { audio } = (await (await send(`${id}/tts/`, { text: "Good morning." })).json()) as {
        audio: string;
      };
      const form = new FormData();
      form.append("audio", new Blob([Buffer.from(audio, "base64")]), "speech.wav");
      const heard = await fetch(`${server.url}/api/v1/session/${id}/stt/`, {
        method: "POST",
        headers: { "XP-API-KEY": key },
        body: form,
      });
      expect(await heard.json()).toMatchObject({ text: expect.stringContaining("morning"), locale: "en-US" });
    } finally {
      await server.end();
    }
  },
);
