/** The texts of the page behind More on a phone, in English. */
export const more = {
  enginesTroubled: (count: number) => (count === 1 ? "One does not work" : `${count} do not work`),
};
