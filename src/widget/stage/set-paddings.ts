import type { Paddings } from "../../protocol/settings/stage-settings.ts";

/** Paddings by name, without those that are not set. */
export type SetPaddings = { readonly [Name in keyof Paddings]?: number | undefined };

const ranges = { "padding-left": [-1, 1], "padding-top": [0, 1], "padding-height": [0, 5] } as const;

/** The attributes that set paddings in the page. Each replaces the context's. */
export const paddingAttributes = Object.keys(ranges);

/** The paddings of an element's attributes. Values that are no number in the context's range are ignored. */
export function paddingsOf(element: Pick<Element, "getAttribute">): SetPaddings {
  const set = Object.entries(ranges).flatMap(([name, [least, most]]) => {
    const text = element.getAttribute(name)?.trim();
    const value = text ? Number(text) : Number.NaN;
    return value >= least && value <= most ? [[name.replace("-", "_"), value]] : [];
  });
  return Object.fromEntries(set) as SetPaddings;
}
