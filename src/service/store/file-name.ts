const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** Whether a text is a valid name for a stored file: it contains nothing that is special to a file system. */
export function isFileName(name: string): boolean {
  return pattern.test(name);
}
