import { ContentBlockSchema, type CallToolResult, type Tool } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";

/**
 * Lists and results as real servers send them. The library's own schemas refuse a whole list for one tool that is wrong, so each tool
 * and each part of a result is read for itself.
 */
export const toolListSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().nullish(),
});

/** A schema of arguments. Servers leave out what says nothing: the type, or all of it. */
const argumentsSchema = z
  .looseObject({ type: z.literal("object").default("object") })
  .nullish()
  .transform((schema) => schema ?? { type: "object" as const });

const toolSchema = z.object({
  name: z.string().min(1),
  description: z.string().optional().catch(undefined),
  inputSchema: argumentsSchema,
  annotations: z.looseObject({ readOnlyHint: z.boolean().optional() }).optional().catch(undefined),
});

/** The tools of a list that can be called. One without a name, or whose arguments are no object, is left out. */
export function usableTools(listed: readonly unknown[]): Tool[] {
  return listed.flatMap((one) => {
    const { data } = toolSchema.safeParse(one);
    if (!data) return [];
    const { name, description, inputSchema, annotations } = data;
    return [
      {
        name,
        inputSchema,
        ...(description !== undefined && { description }),
        ...(annotations && { annotations }),
      },
    ];
  });
}

const plain = z.record(z.string(), z.unknown());

/** A tool's result. Its content may be missing, or be one text. */
export const toolResultSchema = z.looseObject({
  content: z.unknown().optional(),
  structuredContent: plain.optional().catch(undefined),
  isError: z.boolean().optional().catch(undefined),
  _meta: plain.optional().catch(undefined),
});

/** A part of a result; a part of a kind that is not known is told as JSON. */
function blockOf(part: unknown): CallToolResult["content"][number] {
  const { data } = ContentBlockSchema.safeParse(part);
  return data ?? { type: "text", text: typeof part === "string" ? part : JSON.stringify(part) };
}

/** A result with parts that are known. */
export function readableResult({
  content,
  structuredContent,
  isError,
  _meta,
}: z.infer<typeof toolResultSchema>): CallToolResult {
  const parts: readonly unknown[] = content === undefined || content === null ? [] : [content].flat();
  return {
    content: parts.map(blockOf),
    ...(structuredContent && { structuredContent }),
    ...(isError !== undefined && { isError }),
    ...(_meta && { _meta }),
  };
}
