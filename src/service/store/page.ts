/** Which part of a list to read. Default: all of it. */
export interface PageRequest {
  /** The place after which the part begins: `next` of the page before. Default: the beginning of the list. */
  after?: number | undefined;
  /** The most items to read. Default: no limit. */
  limit?: number | undefined;
}

/** Part of a list, in the order of the list. */
export interface Page<Item> {
  items: Item[];
  /** The place after which the next page begins; null on the last page. */
  next: number | null;
}
