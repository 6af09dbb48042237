/** A number, as "2,000". */
export const figure = (count: number): string => count.toLocaleString("ko");
