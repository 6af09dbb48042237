import type { unanswered as english } from "../en/unanswered.ts";
import { figure } from "./count.ts";

/** The texts of the unanswered questions, in Korean. */
export const unanswered: typeof english = {
  title: "답하지 못한 질문",
  lead: "방문자가 물었지만 아바타가 답하지 못한 질문입니다. 여기에 쓴 답은 바로 사용됩니다.",
  order: "순서",
  most: "많이 물은 순",
  newest: "최신순",
  asked: (times, ways, last) =>
    `${figure(times)}번 질문${ways > 1 ? `, 표현 ${figure(ways)}가지` : ""}, 마지막: ${last}`,
  teach: "가르치기",
  hide: (question) => `“${question}” 숨기기`,
  hidden: "질문을 숨겼습니다.",
  answer: "답",
  answerHelp: "아바타가 말하듯이 두세 문장으로.",
  also: "이 질문에도",
  submit: "가르치기",
  taught: (times) => `이제 아바타가 답할 수 있습니다. ${figure(times)}번 받은 질문입니다.`,
  taughtNotFound: "답을 저장했지만 아직 질문으로 찾을 수 없습니다. 질문의 단어를 답에 쓰세요.",
  withoutWords: (count) => `질문 ${figure(count)}개에 답하지 못했고, 내용은 보관되어 있지 않습니다.`,
  none: "빠진 답이 없습니다",
  noneText: "내용이 보관된 모든 질문에 답했습니다.",
};
