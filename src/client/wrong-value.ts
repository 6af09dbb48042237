/** What a page is told at once of a value that cannot be used. */
export const wrong = (what: string): TypeError => new TypeError(`${what} is not valid`);
