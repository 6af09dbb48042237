import * as z from "zod/mini";
import { elementContract, namesWhere, type MethodContract, type ViewerMethod } from "./element-contract.ts";

/** What the viewer (the iframe page) posts to its parent: the element's events. */
export const viewerEventSchema = z.object({
  source: z.literal("visavis"),
  type: z.string(),
  detail: z.unknown(),
});
export type ViewerEvent = z.infer<typeof viewerEventSchema>;

/** The commands that a parent page can send: methods of the element. */
export const viewerCommands = namesWhere<keyof typeof elementContract.methods, MethodContract>(
  elementContract.methods,
  (method) => method.viewer === true,
) as ViewerMethod[];

/** A parent's message to the viewer. */
export const viewerCommandSchema = z.object({
  target: z.literal("visavis"),
  command: z.enum(viewerCommands),
  args: z._default(z.array(z.unknown()).check(z.maxLength(4)), []),
});
export type ViewerCommand = z.infer<typeof viewerCommandSchema>;
