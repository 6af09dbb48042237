const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** Whether a text can name a file of the store: no part of it means anything to a file system. */
export function isFileName(name: string): boolean {
  return pattern.test(name);
}
