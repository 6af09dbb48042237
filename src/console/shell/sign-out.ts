import { errorText } from "../parts/error-text.ts";
import type { Services } from "../services.ts";

/** Signs out. A failure is told at the foot of the page. */
export async function signOut({ session, toasts }: Services): Promise<void> {
  try {
    await session.signOut();
  } catch (error) {
    toasts.show(errorText(error));
  }
}
