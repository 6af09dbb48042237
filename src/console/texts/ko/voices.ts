import type { voices as english } from "../en/voices.ts";

/** The texts of voices that can be heard, in Korean. */
export const voices: typeof english = {
  known: {
    "visavis-slt": { name: "샐리", about: "여성, 미국 영어" },
    "visavis-rms": { name: "레이", about: "남성, 미국 영어" },
    "visavis-awb": { name: "앨런", about: "남성, 스코틀랜드 영어" },
    "visavis-kal": { name: "칼", about: "기계음, 미국 영어" },
    "visavis-kal16": { name: "칼 16", about: "더 또렷한 기계음, 미국 영어" },
  },
  offline: "오프라인에서 작동",
  hear: "들어 보기",
  stopIt: "멈추기",
  play: (name) => `${name} 듣기`,
  stop: (name) => `${name} 멈추기`,
  sample: (name) => `안녕하세요, ${name}입니다. 무엇을 도와드릴까요?`,
  failed: "지금은 이 목소리를 들을 수 없습니다.",
};
