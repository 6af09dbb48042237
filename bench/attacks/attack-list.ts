import { randomBytes } from "node:crypto";
import { realOffers } from "../../test/service/media/real-offers.ts";
import type { AttackerClient } from "./attacker-client.ts";

/** Runs until `isStopped` returns true. */
export type Attack = (attacker: AttackerClient, isStopped: () => boolean) => Promise<void>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs `once` in `count` parallel loops. A refused request is repeated after a short pause, as attack tools do. */
async function atOnce(count: number, isStopped: () => boolean, once: () => Promise<unknown>): Promise<void> {
  const one = async (): Promise<void> => {
    while (!isStopped()) {
      await once();
      await pause(5);
    }
  };
  await Promise.all(Array.from({ length: count }, one));
}

/** Opens a session for the attack. If the relay refuses, it tries again. */
async function session(
  attacker: AttackerClient,
  isStopped: () => boolean,
  mode: "avatar" | "text" = "avatar",
) {
  for (;;) {
    const opened = await attacker.openSession(mode);
    if (opened) return opened;
    if (isStopped()) return null;
    await pause(500);
  }
}

/** An offer with candidates of other hosts and ports. A server without limits would send packets to them. */
function offerWithCandidates(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) =>
      `a=candidate:${index} 1 udp ${2_113_937_151 - index} 198.51.100.${index % 250} ${10_000 + index} typ host`,
  );
  const offer = realOffers["chromium"];
  if (!offer) throw new Error("The offer of Chromium is missing.");
  return offer.replace(/(a=mid:0\r\n)/, `$1${lines.join("\r\n")}\r\n`);
}

const offers = [
  offerWithCandidates(331),
  offerWithCandidates(20),
  "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=foo 9 UDP/DTLS/SCTP webrtc-datachannel\r\nc=IN IP4 0.0.0.0\r\na=mid:0\r\n",
];

/** The attacks by name. */
export const attacks: Readonly<Record<string, Attack>> = {
  "event files through a live and an ended session": async (attacker, isStopped) => {
    const [live, ended] = [await session(attacker, isStopped), await session(attacker, isStopped)];
    if (!live || !ended) return;
    await attacker.post(`${ended.path}/event`, { event: "SESSION_END" }, ended.token);
    let turn = 0;
    await atOnce(20, isStopped, () => {
      const { path, token } = turn++ % 2 ? live : ended;
      return attacker.postFile(`${path}/event`, 5_000_000, token);
    });
  },
  "bodies for sessions that do not exist": (attacker, isStopped) =>
    atOnce(80, isStopped, () =>
      attacker.postFile(`/api/v1/session/${randomBytes(20).toString("hex")}/event/create/`, 10_000_000),
    ),
  "6,100 unknown contexts in 6 s": async (attacker, isStopped) => {
    const startedMs = performance.now();
    for (let sent = 0; !isStopped(); sent++) {
      void attacker.send("GET", `/embed/v1/contexts/ctx_${randomBytes(6).toString("hex")}`);
      while (performance.now() - startedMs < (sent * 6_000) / 6_100) await pause(1);
    }
  },
  "a replayed token": async (attacker, isStopped) => {
    const opened = await session(attacker, isStopped);
    if (!opened) return;
    await atOnce(20, isStopped, () =>
      attacker.post(`${opened.path}/event`, { event: "SESSION_DURING" }, opened.token),
    );
  },
  "8 × 5,000 characters of speech": async (attacker, isStopped) => {
    const opened = await session(attacker, isStopped);
    if (!opened) return;
    let said = 0;
    await atOnce(8, isStopped, () => {
      const text = `${++said} ${"All our wood comes from certified forests in Austria and Slovenia. ".repeat(80)}`;
      return attacker.post(`${opened.path}/tts`, { text: text.slice(0, 5_000) }, opened.token);
    });
  },
  "questions to the language model": async (attacker, isStopped) => {
    const opened = await session(attacker, isStopped, "text");
    if (!opened) return;
    const messages = [{ role: "user", content: "Tell me everything about every chair." }];
    await atOnce(32, isStopped, () => attacker.post(`${opened.path}/llm`, { messages }, opened.token));
  },
  "slow headers": async (attacker, isStopped) => {
    const head = "POST /embed/v1/sessions HTTP/1.1\r\nhost: localhost\r\n";
    await atOnce(300, isStopped, () => attacker.dribble(head, isStopped));
  },
  "slow bodies": async (attacker, isStopped) => {
    const head =
      "POST /embed/v1/sessions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 200000\r\n\r\n";
    await atOnce(300, isStopped, () => attacker.dribble(head, isStopped));
  },
  "offers full of candidates, or fatal": async (attacker, isStopped) => {
    const opened = await session(attacker, isStopped);
    if (!opened) return;
    let turn = 0;
    await atOnce(8, isStopped, () => {
      const sdp = offers[turn++ % offers.length];
      return attacker.post(`${opened.path}/exchange`, { client_sdp: { type: "offer", sdp } }, opened.token);
    });
  },
  "log-ins": (attacker, isStopped) =>
    atOnce(50, isStopped, () =>
      attacker.post("/api/console/login/", { password: randomBytes(8).toString("hex") }),
    ),
};
