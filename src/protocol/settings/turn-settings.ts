import * as z from "zod/mini";

// Settings of spoken turns. Browsers read them with the visitor's voice, not before the first frame.

const ms = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));

/** The longest text that fills a wait, in characters. */
const fillerMaxLength = 200;

/** Keys of `embed_config.voice` that concern the visitor's turns. The defaults are those of `turnSettingsOf`. */
export const turnSettingsSchema = z.looseObject({
  /** Whether the browser's recognizer may send the visitor's speech to the browser's maker. */
  cloud_recognizer: z.optional(z.boolean()),
  /** Hands-free: the silence that ends a turn after a finished clause, in ms. */
  pause_ms: z.optional(ms(200, 3_000)),
  /** The same after an unfinished clause. */
  open_pause_ms: z.optional(ms(500, 8_000)),
  /** Hands-free: whether the model is asked when the visitor has probably finished, up to twice a turn, before the turn ends. */
  begin_early: z.optional(z.boolean()),
  /** Texts of which the avatar says one while an answer takes time. */
  filler_texts: z.optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(fillerMaxLength))).check(z.maxLength(20)),
  ),
  /** How long an answer takes before, in ms. */
  filler_after_ms: z.optional(ms(300, 10_000)),
});

/** The same, with a value for each. */
export interface TurnSettings {
  readonly cloud_recognizer: boolean;
  readonly pause_ms: number;
  readonly open_pause_ms: number;
  readonly begin_early: boolean;
  readonly filler_texts: readonly string[];
  readonly filler_after_ms: number;
}

/** The settings of spoken turns in `embed_config.voice`, or in what a public view says of a context's voice. */
export function turnSettingsOf(voice: unknown): TurnSettings {
  const {
    cloud_recognizer = false,
    pause_ms = 350,
    open_pause_ms = 2_500,
    begin_early = true,
    filler_texts = [],
    filler_after_ms = 1_200,
  } = turnSettingsSchema.safeParse(voice ?? {}).data ?? {};
  return { cloud_recognizer, pause_ms, open_pause_ms, begin_early, filler_texts, filler_after_ms };
}

/** Those settings that are not the default. */
export function ownTurnSettings(voice: unknown): Partial<TurnSettings> {
  const standard = new Map<string, unknown>(Object.entries(turnSettingsOf({})));
  const own = Object.entries(turnSettingsOf(voice)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(standard.get(key)),
  );
  return Object.fromEntries(own);
}
