const space = "http://www.w3.org/2000/svg";

/** The outline of a person with a gleam that runs over it, for an avatar whose picture is not known yet. Loaded where it is needed. */
export function personOutline(): Element {
  const cover = document.createElement("div");
  cover.className = "vv-still";
  cover.setAttribute("aria-hidden", "true");
  Object.assign(cover.style, { overflow: "hidden", paddingTop: "9%", background: "var(--visavis-sunken)" });
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("viewBox", "0 0 400 480");
  drawing.setAttribute("preserveAspectRatio", "xMidYMax meet");
  Object.assign(drawing.style, {
    width: "100%",
    height: "100%",
    fill: "color-mix(in srgb, var(--visavis-ink) 13%, var(--visavis-mat))",
  });
  const outline = document.createElementNS(space, "path");
  outline.setAttribute(
    "d",
    "M200 70c-58 0-84 42-83 100 1 52 14 88 38 110 2 20 0 36-4 52-12 10-30 16-52 24-44 16-67 50-69 124h340c-2-74-25-108-69-124-22-8-40-14-52-24-4-16-6-32-4-52 24-22 37-58 38-110 1-58-25-100-83-100z",
  );
  drawing.append(outline);
  cover.append(drawing);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) cover.append(gleam());
  return cover;
}

function gleam(): Element {
  const band = document.createElement("div");
  Object.assign(band.style, {
    position: "absolute",
    inset: "-20% -40%",
    background: "linear-gradient(100deg, transparent 42%, var(--visavis-window-edge) 50%, transparent 58%)",
  });
  requestAnimationFrame(() => glide(band));
  return band;
}

/** Moves the gleam over the outline, again and again while it is there: a motion without an end would keep a removed element in memory. */
function glide(band: Element): void {
  // Browsers without animations show a band that stays.
  if (!band.isConnected || !("animate" in band)) return;
  const motion = band.animate(
    { transform: ["translateX(-40%)", "translateX(40%)"] },
    { duration: 2_400, easing: "cubic-bezier(.3,0,.2,1)" },
  );
  motion.onfinish = () => glide(band);
}
