import type { more as english } from "../en/more.ts";

/** The texts of the page behind More on a phone, in Korean. */
export const more: typeof english = {
  enginesTroubled: (count) => `${count}개가 작동하지 않음`,
};
