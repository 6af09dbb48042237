import * as z from "zod/mini";

/** The longest text that is spoken in one piece, in characters. */
export const speechTextMaxLength = 5_000;

/** How far the rate and the pitch of a voice may be from its own, as factors. */
export const voiceFactorMin = 0.5;
export const voiceFactorMax = 2;

/** How fast or how high a voice speaks; 1 is its own rate or pitch. */
export const voiceFactorSchema = z.number().check(z.gte(voiceFactorMin), z.lte(voiceFactorMax));
