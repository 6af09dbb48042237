/** A number of things, as "1 day", "2,000 days". */
export const many = (count: number, one: string, other: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : other}`;
