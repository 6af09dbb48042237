import { expect, test } from "vitest";
import { hasProgram } from "../../../src/service/speech/engines/command/command-engine.ts";
import { filled, jsonOf } from "../answers.ts";
import { buildServer } from "../processes/server-build.ts";
import { startServer } from "../processes/server-process.ts";
import { temporaryFolder } from "../service-fixture.ts";

const key = "vv_first_session_key_0123456789";

test.skipIf(!hasProgram("pocketsphinx_continuous", process.env))(
  "the recognizer of a new store recognizes speech [needs PocketSphinx]",
  async () => {
    const settings = { VISAVIS_DATA: temporaryFolder(), VISAVIS_API_KEY: key };
    const server = await startServer(await buildServer(), "service", settings);
    const headers = { "XP-API-KEY": key };
    const send = (path: string, body: object) => {
      const sent = body instanceof FormData ? { headers, body } : { body: JSON.stringify(body) };
      const typed = { headers: { ...headers, "Content-Type": "application/json" } };
      return fetch(`${server.url}/api/v1/session/${path}`, { method: "POST", ...typed, ...sent });
    };
    try {
      const recognizers = fetch(`${server.url}/api/v1/settings/stt_type/`, { headers });
      expect(await jsonOf(recognizers)).toMatchObject([{ name: "pocketsphinx" }]);
      const fields = { capability: ["TTS", "STT"], tts_type: "visavis-slt", stt_type: "pocketsphinx" };
      const { session_id: id } = await jsonOf<{ session_id: string }>(send("", fields));
      const { audio } = await jsonOf<{ audio: string }>(send(`${id}/tts/`, { text: "Good morning." }));
      const form = filled(new FormData(), { audio: Buffer.from(audio, "base64") });
      const text = expect.stringContaining("morning") as string;
      expect(await jsonOf(send(`${id}/stt/`, form))).toMatchObject({ text, locale: "en-US" });
    } finally {
      await server.end();
    }
  },
);
