import * as z from "zod";

/** The address of an operator's engine, up to and including the version of its protocol. */
export const engineAddressSchema = z
  .url({
    protocol: /^https?$/,
    error: "Set an http or https address up to and including the version, such as https://engine.example/v1.",
  })
  .refine((address) => new URL(address).username === "" && new URL(address).password === "", {
    error: "The address must not hold a user name or password; set api_key or api_key_env.",
    when: ({ value }) => typeof value === "string" && URL.canParse(value),
  });
