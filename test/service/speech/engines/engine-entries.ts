import { onTestFinished } from "vitest";
import type { SttType, TtsType } from "../../../../src/protocol/catalogue.ts";
import { silentLogger } from "../../../../src/logging/logger.ts";
import { createOutboundCalls } from "../../../../src/service/outbound/outbound-calls.ts";
import {
  createRecognizers,
  createSynthesizers,
  createVoiceActivity,
} from "../../../../src/service/speech/create-speech-engines.ts";
import type { SynthesizerContext } from "../../../../src/service/speech/speech-engine.ts";
import type { SpeechSynthesizer } from "../../../../src/service/speech/speech-synthesizer.ts";
import type { EngineSettings } from "../../../../src/service/store/store.ts";
import { noScript, plainAudioProcessor } from "../../service-fixture.ts";

/** In place of Flite. */
export const unused: SpeechSynthesizer = {
  voices: [],
  synthesize: () => Promise.reject(new Error("Not to be asked.")),
  close: () => Promise.resolve(),
};

type Context = Partial<Omit<SynthesizerContext, "fetch">>;

const contextOf = ({ environment = {}, scriptUrl = noScript }: Context) => ({
  ...{ environment, scriptUrl, outbound: createOutboundCalls({ allowPrivate: false }) },
});

const row = <Body>(body: Body, engine: EngineSettings | null) => ({
  ...{ id: "entry", name: "entry", isOperators: true, body, engine },
});

/** The recognizer of an operator's entry. `hearsOnly` speech, as a model of voice activity finds it. */
export function recognizerOf(
  engine: EngineSettings | null,
  {
    service = "onpremise",
    hearsOnly,
    ...context
  }: Context & { service?: SttType["service"]; hearsOnly?: string } = {},
) {
  const given = contextOf(context);
  const environment = { ...given.environment, VISAVIS_VAD_MODEL: hearsOnly };
  const activity = hearsOnly === undefined ? null : createVoiceActivity({ ...given, environment });
  const recognizers = createRecognizers(given, activity ? { activity, log: silentLogger } : undefined);
  onTestFinished(() => recognizers.close());
  return recognizers.of(row({ name: "entry", service, options: null }, engine));
}

/** The operator's entry of a voice. */
export const voiceRow = (engine: EngineSettings | null, body: Partial<TtsType> = {}) =>
  row<TtsType>(
    {
      ...{ name: "entry", service: "onpremise", streamable: false, model: null, voice: "alloy" },
      ...{ voice_settings: null, style: null, voice_extra_data: null },
      ...body,
    },
    engine,
  );

export function synthesizersIn({ flite = unused, audio = plainAudioProcessor, ...context }: Context = {}) {
  const synthesizers = createSynthesizers({ ...contextOf(context), flite, audio });
  onTestFinished(() => synthesizers.close());
  return synthesizers;
}

export const voiceOf = (engine: EngineSettings | null, context: Context = {}, body: Partial<TtsType> = {}) =>
  synthesizersIn(context).of(voiceRow(engine, body));
