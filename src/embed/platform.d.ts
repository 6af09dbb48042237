/** What some browsers do not have, and TypeScript's library lacks or has for all of them. */
interface Navigator {
  readonly connection?: { readonly saveData?: boolean };
}
