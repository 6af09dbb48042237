/** The widget speaks the page's language from the launcher on, and loads no other language than that. */
import { expect, test, type Locator } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { openAvatar, say } from "../support/talk.ts";
import { avatar, endSession, launcher, snippet } from "../support/widget.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context)),
    "/ko": hostPage(snippet(relayOrigin, context)).replace('lang="en"', 'lang="ko"'),
  }),
});

test("a page's language alone is loaded, none for English, and it is the launcher's, the panel's and the line breaks' own", async ({
  page,
}) => {
  const loaded: string[] = [];
  const language = /languages|\/(?:ar|de|es|fr|he|it|ja|ko|pt-BR|zh-Han[st])-[\w-]+\.js$/;
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (language.test(pathname)) loaded.push(pathname);
  });
  await openAvatar(page, served.site.origin);
  await expect(avatar(page).getByRole("button", { name: "End the conversation" })).toBeVisible();
  expect(loaded).toEqual([]);
  await endSession(page);

  await page.goto(`${served.site.origin}/ko`);
  await expect(launcher(page)).toHaveAccessibleName(/에게 물어보기/);
  await openAvatar(page, `${served.site.origin}/ko`);
  await expect(avatar(page).getByRole("button", { name: "대화 끝내기" })).toBeVisible();
  await expect(avatar(page).locator(".vv-caption").first()).toHaveCSS("word-break", "keep-all");
  const others = loaded.filter((path) => !/languages|\/ko-/.test(path));
  expect([loaded.some((path) => path.includes("/ko-")), others]).toEqual([true, []]);
});

/** The lines of a text as the browser has broken them. */
const linesOf = (text: Locator): Promise<string[]> =>
  text.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const lines: { top: number; text: string }[] = [];
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (let at = 0; at < (node.textContent ?? "").length; at++) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = range.getBoundingClientRect();
        if (!box.width) continue;
        const last = lines.at(-1);
        if (last && Math.abs(last.top - box.top) < 4) last.text += range.toString();
        else lines.push({ top: box.top, text: range.toString() });
      }
    return lines.map(({ text }) => text.trim());
  });

const texts = {
  ko: "올더 의자는 폭이 육십팔 센티미터라서 작은 방의 책장 옆에도 잘 들어갑니다. 세 가지 색의 양모로 나오며 배송은 무료입니다.",
  ja: "オールダーの椅子は幅が六十八センチメートルなので、小さな部屋の本棚の隣にもちょうどよく収まります。送料は無料です。",
};

test("a message in another language than the page's carries it, and its lines break between words", async ({
  page,
}) => {
  await openAvatar(page, served.site.origin);
  const expectWholeWords = async (place: Locator, language: string, text: string): Promise<void> => {
    const segments = new Intl.Segmenter(language, { granularity: "word" }).segment(text);
    const words = new Set([...segments].map(({ index }) => index));
    await expect(place).toHaveAttribute("lang", language);
    let lines: string[] = [];
    await expect.poll(async () => (lines = await linesOf(place)).length).toBeGreaterThan(1);
    let from = 0;
    for (const line of lines) {
      from = text.indexOf(line, from);
      expect(words.has(from), `a line begins at "${line.slice(0, 8)}"`).toBe(true);
      from += line.length;
    }
  };
  const all = Object.entries(texts);
  for (const [language, text] of all) {
    await say(page, text);
    const caption = avatar(page).locator(".vv-caption", { hasText: text.slice(0, 12) });
    await expectWholeWords(caption, language, text);
    // The English voice cannot speak it, and there is no other one.
    await expect(avatar(page).getByText("I can only write this one.").first()).toBeVisible();
  }
  await avatar(page).getByRole("button", { name: "Write to Mara" }).click();
  for (const [language, text] of all) {
    const written = avatar(page).locator(".vv-a .vv-md", { hasText: text.slice(0, 12) });
    await expectWholeWords(written, language, text);
    await expect(avatar(page).locator(`[role=log] [lang=${language}]`)).toHaveText(text);
  }
});
