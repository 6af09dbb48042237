import type { avatars as english } from "../en/avatars.ts";
import { figure } from "./count.ts";

/** The texts of the list of avatars, in Korean. */
export const avatars: typeof english = {
  title: "아바타",
  lead: "각 아바타에는 얼굴, 목소리, 지시문, 그리고 나타날 수 있는 페이지가 있습니다.",
  photo: "사진으로 얼굴 만들기",
  states: { live: "페이지에 표시 중", paused: "일시 중지", draft: "초안" },
  pages: "페이지",
  noPages: "아직 없음",
  lastWeek: "최근 7일",
  conversations: (count) => (count === 0 ? "대화 없음" : `대화 ${figure(count)}건`),
  open: "열기",
  more: (name) => `${name} 더보기`,
  pause: "일시 중지",
  resume: "켜기",
  duplicate: "복제",
  delete: "삭제",
  paused: (name) => `${name}: 일시 중지했습니다. 페이지에 나타나지 않습니다.`,
  resumed: (name) => `${name}: 켰습니다.`,
  duplicated: (name) => `복사본 ${name}: 일시 중지 상태입니다.`,
  deleted: (name) => `${name}: 삭제했습니다.`,
  restored: (name) => `${name}: 되돌렸습니다.`,
  created: (name) => `${name}: 만들었습니다.`,
  new: "새 아바타",
  templates: {
    shop_assistant: ["매장 도우미", "웹사이트의 가격, 크기, 배송, 반품을 안내합니다."],
    reception: ["안내 데스크", "큰 화면에서 맞이하고 어디로 가야 하는지 알려 줍니다."],
    tutor: ["튜터", "수업을 단계별로 설명하고 되묻습니다."],
    support: ["고객 지원", "도움말로 답하고, 사람이 나을 때는 그렇게 말합니다."],
    blank: ["빈 상태로 시작", "얼굴과 목소리, 그리고 빈 종이."],
  },
  examples: (count) => `데모 페이지의 예시 ${figure(count)}개`,
  none: "아직 아바타가 없습니다",
  noneText: "템플릿으로 시작하세요. 얼굴과 목소리, 바꿀 수 있는 문장이 들어 있습니다.",
  noneForViewer: "아직 아무도 아바타를 만들지 않았습니다.",
};
