/** The outline of a person, for an avatar whose picture is not known yet. Loaded where it is needed. */
export function personOutline(): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("class", "vv-ghost");
  drawing.setAttribute("viewBox", "0 0 400 480");
  drawing.setAttribute("preserveAspectRatio", "xMidYMax meet");
  drawing.setAttribute("aria-hidden", "true");
  const outline = document.createElementNS(space, "path");
  outline.setAttribute(
    "d",
    "M200 70c-58 0-84 42-83 100 1 52 14 88 38 110 2 20 0 36-4 52-12 10-30 16-52 24-44 16-67 50-69 124h340c-2-74-25-108-69-124-22-8-40-14-52-24-4-16-6-32-4-52 24-22 37-58 38-110 1-58-25-100-83-100z",
  );
  drawing.append(outline);
  return drawing;
}
