import {
  AdministrationError,
  type AdministrationErrorCode,
} from "../../service/administration/administration-error.ts";

/** A command that cannot be carried out, with a reason for the operator. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Runs an action. If it fails with such an error, adds to the error what to type. */
export async function withHint<Result>(
  code: AdministrationErrorCode,
  hint: string,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AdministrationError) || error.code !== code) throw error;
    throw new CommandError(`${error.message.replace(/\.$/, "")}; ${hint}.`);
  }
}
