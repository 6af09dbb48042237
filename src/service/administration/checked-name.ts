import { AdministrationError } from "./administration-error.ts";

const nameMaxLength = 200;

/** A name without surrounding space, of the given field. Throws AdministrationError `invalid_name`. */
export function checkedName(given: string, field = "name"): string {
  const name = given.trim();
  if (name === "" || name.length > nameMaxLength || /\p{Cc}/u.test(name))
    throw new AdministrationError(
      "invalid_name",
      `The name is not valid; set 1 to ${nameMaxLength} characters on one line.`,
      { field },
    );
  return name;
}
