import { CommandError } from "./command-error.ts";

const nameMaxLength = 200;

/** A name as it is kept, from `--name`. Throws a CommandError where it is none. */
export function checkedName(given: string): string {
  const name = given.trim();
  if (name === "" || name.length > nameMaxLength || /\p{Cc}/u.test(name))
    throw new CommandError(`--name: set 1 to ${nameMaxLength} characters on one line.`);
  return name;
}
