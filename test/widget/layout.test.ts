import { describe, expect, it } from "vitest";
import { defaultFraming, framingOf, paddingsOf } from "../../src/widget/stage/framing.ts";
import { layoutOf } from "../../src/widget/panel/layout.ts";
import { momentAt, type Ends } from "../../src/widget/motion/opening-frames.ts";
import { topCentre } from "../../src/widget/stage/ring.ts";
import { isDark, ownerRules } from "../../src/widget/settings/theme.ts";
import { createTranslate } from "../../src/widget/texts/texts.ts";
import { wantedSize } from "../../src/widget/stage/video-size.ts";

const desktop = { width: 1280, height: 800 };
const box = (width: number, height = 450) => ({ width, height });

describe("the layout", () => {
  it("floats on a desktop, fills a phone, and sets words beside the picture on a phone's side", () => {
    expect(layoutOf("bubble", desktop, box(0), false, false)).toMatchObject({ fit: "window", kind: "panel" });
    expect(layoutOf("bubble", { width: 390, height: 844 }, box(0), false, false).fit).toBe("phone");
    expect(layoutOf("bubble", { width: 844, height: 390 }, box(0), false, false)).toMatchObject({
      fit: "phone",
      beside: true,
    });
  });

  it("turns the picture into a porthole when the keyboard leaves under 400 px", () => {
    expect(layoutOf("bubble", { width: 320, height: 300 }, box(0), true, false).plain).toBe(true);
    expect(layoutOf("bubble", { width: 390, height: 500 }, box(0), true, false).plain).toBe(false);
  });

  it("gives a wide inline frame the sill, and the panel where the transcript has no room beside", () => {
    expect(layoutOf("inline", desktop, box(800), false, false).kind).toBe("sill");
    expect(layoutOf("inline", desktop, box(800), true, false).kind).toBe("sill");
    expect(layoutOf("inline", desktop, box(600), true, false).kind).toBe("panel");
    expect(layoutOf("inline", desktop, box(400), false, false).kind).toBe("panel");
  });

  it("opens the transcript's column by itself on a wide full screen only", () => {
    expect(layoutOf("fullscreen", desktop, box(1280, 800), false, false).columnOpen).toBe(true);
    expect(layoutOf("fullscreen", desktop, box(800, 800), false, false).columnOpen).toBe(false);
  });
});

describe("the framing", () => {
  const element = (attributes: Record<string, string>) => ({
    getAttribute: (name: string) => attributes[name] ?? null,
  });

  it("takes the page's own paddings from attributes, by name", () => {
    expect(paddingsOf(element({ "padding-left": "-0.25", "padding-height": " 1.5 " }))).toEqual({
      padding_left: -0.25,
      padding_height: 1.5,
    });
  });

  it.each(["", "wide", "1.01", "-0.01", "NaN", "Infinity"])("passes over %j as a padding-top", (text) => {
    expect(paddingsOf(element({ "padding-top": text }))).toEqual({});
  });

  it("takes the owner's paddings exactly", () => {
    const owner = { padding_left: -0.5, padding_top: 0.2, padding_height: 1.4 };
    expect(framingOf(owner, 364, 424)).toEqual({
      paddingLeft: -0.5,
      paddingTop: 0.2,
      paddingHeight: 1.4,
    });
  });

  it.each([
    [364, 424],
    [364, 514],
    [370, 600],
    [364, 152],
    [784, 404],
    [460, 400],
  ])("meets the lower edge and keeps the face free in a window of %i × %i", (width, height) => {
    const { paddingTop, paddingHeight } = defaultFraming(width, height);
    expect(paddingTop + paddingHeight).toBeGreaterThanOrEqual(1);
    expect(paddingTop + 0.125 * paddingHeight).toBeGreaterThan(0.1);
    expect(paddingTop + 0.655 * paddingHeight).toBeLessThan(0.83);
  });
});

describe("the opening motion", () => {
  const ends: Ends = {
    launcher: { left: 312, top: 568, width: 72, height: 72 },
    panel: { width: 384, height: 640, radius: 32 },
    window: { left: 10, top: 10, width: 364, height: 424, radius: 22 },
    mat: 10,
  };

  it("begins as the launcher and ends as the panel, unscaled", () => {
    expect(momentAt(ends, 0).panel).toEqual({ ...ends.launcher, radius: 36 });
    expect(momentAt(ends, 0).window).toMatchObject({ left: 319, top: 575, width: 58, height: 58 });
    expect(momentAt(ends, 1)).toMatchObject({ scale: 1, left: 10, top: 10, window: ends.window });
  });

  it("never shows an edge of the picture inside the window", () => {
    for (let part = 0; part <= 1; part += 0.02) {
      const { window, scale, left, top } = momentAt(ends, part);
      expect(left).toBeLessThanOrEqual(window.left + 0.01);
      expect(top).toBeLessThanOrEqual(window.top + 0.01);
      expect(left + 364 * scale).toBeGreaterThanOrEqual(window.left + window.width - 0.01);
      expect(top + 424 * scale).toBeGreaterThanOrEqual(window.top + window.height - 0.01);
    }
  });
});

describe("small sums", () => {
  it("finds the ring's top centre", () => {
    expect(topCentre(100, 100, 0)).toBeCloseTo(12.5);
    expect(topCentre(100, 100, 50)).toBe(0);
  });

  it("asks for video by what it carries, capped", () => {
    const frame = { width: 364, height: 424, avatarHeight: 440 };
    expect(wantedSize("packed-alpha", frame, 2)).toEqual({ width: 880, height: 880 });
    expect(wantedSize("none", { ...frame, width: 1920, height: 1080 }, 2)).toEqual({
      width: 1024,
      height: 576,
    });
  });

  it("is dark by attribute, then owner, then system", () => {
    expect(isDark("light", "dark", true)).toBe(false);
    expect(isDark(null, "dark", false)).toBe(true);
    expect(isDark("auto", "dark", false)).toBe(false);
    expect(isDark(null, undefined, true)).toBe(true);
  });

  it("turns the owner's theme into rules", () => {
    expect(ownerRules({ brand_color: "#B4235A", radius: 12 })).toBe(
      ":host{--visavis-brand:#B4235A;--visavis-radius-panel:12px}",
    );
    expect(ownerRules({})).toBe("");
  });

  it("takes texts by exact language, base language, then any", () => {
    const texts = { "pt.ready": "Pronto", ready: "Go", "pt-BR.end": "Encerrar" };
    expect(createTranslate(texts, "pt-BR", {})("ready")).toBe("Pronto");
    expect(createTranslate(texts, "pt-BR", {})("end")).toBe("Encerrar");
    expect(createTranslate(texts, "de", {})("ready")).toBe("Go");
    expect(createTranslate({}, "de", { name: "<b>Mara" })("launcher")).toBe("Talk with <b>Mara");
  });
});
