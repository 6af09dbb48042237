import { expect, test, type Browser, type Page } from "@playwright/test";
import { browserWithMicrophone, soundFile } from "../support/fake-microphone.ts";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { recordEvents, seenEvents } from "../support/page-records.ts";
import { changeContext } from "../support/service-api.ts";
import { startServer, type Server } from "../support/stack.ts";
import { openAvatar, transcript } from "../support/talk.ts";
import {
  addToneRecognizer,
  hearTones,
  lacksSherpa,
  sherpaEnvironment,
  sherpaHint,
  voiced,
} from "../support/tone-recognizer.ts";
import { avatar, snippet, type AvatarElement } from "../support/widget.ts";

// Words must be recognized as fast as they are spoken.
test.describe.configure({ lock: "-exclusive-" });

test.skip(lacksSherpa, sherpaHint);

let server: Server;
let site: HostSite;
let browser: Browser;
let file: string;

test.beforeAll(async () => {
  server = await startServer("start", sherpaEnvironment);
  const english = ["can", "pay", "by", "card"];
  await addToneRecognizer(server, { name: "english-ears", locale: "en-US", words: english, streaming: true });
  const korean = ["카드로", "결제할", "수", "있나요"];
  await addToneRecognizer(server, { name: "korean-ears", locale: "ko-KR", words: korean });
  await changeContext(server, "ctx_demo", (context) => {
    context["greeting"] = "";
    context["instructions"] = "You can pay by card.\n\n카드로 결제할 수 있습니다.";
    context.embed_config["stt_type"] = "english-ears";
    context.embed_config["voice"] = { pause_ms: 1_000 };
  });
  const pages = {
    "/en": hostPage(snippet(server.origin)),
    "/ko": hostPage(snippet(server.origin, "ctx_demo", 'data-lang="ko"')),
  };
  site = await startHostSite(pages, { relayOrigin: server.origin });
  file = await soundFile({ pauseMs: 2_500 }, voiced(0, 1, 2, 3), { pauseMs: 60_000 });
});

test.afterAll(async () => {
  await site.close();
  await server.stop();
});

test.afterEach(() => browser.close());

/** Hands-free: the visitor asks, the voice is found, and the avatar answers. The microphone hears the same on all pages. */
async function askAloud(path: string): Promise<Page> {
  browser = await browserWithMicrophone(test.info(), file);
  const page = await browser.newPage();
  await hearTones(page);
  await recordEvents(page);
  await openAvatar(page, `${site.origin}${path}?visavis-debug`);
  await avatar(page).evaluate((element: AvatarElement) => element.listen());
  return page;
}

/** A packet that is late may split a tone in two. */
const eachOnce = (text: string): string =>
  text
    .split(" ")
    .filter((word, at, all) => word !== all[at - 1])
    .join(" ");

for (const { path, question, answer } of [
  { path: "/en", question: "can pay by card", answer: "You can pay by card" },
  { path: "/ko", question: "카드로 결제할 수 있나요", answer: "카드로 결제할 수 있습니다" },
])
  test(`a visitor of ${path} is understood in their language, and answered`, async () => {
    const page = await askAloud(path);
    await expect
      .poll(async () => (await transcript(page)).find((line) => line.startsWith("avatar")), {
        timeout: 40_000,
      })
      .toContain(answer);
    const understood = (await seenEvents(page)).findLast(
      ({ type, detail }) => type === "visavis-transcript" && detail["final"] === true,
    );
    expect(eachOnce(String(understood?.detail["text"]))).toBe(question);
  });
