import type { Problem } from "../../../protocol/console/overview.ts";
import type { overview as english } from "../en/overview.ts";
import { figure } from "./count.ts";

/** By the code of a problem: what is wrong, and what to do about it. The server's own words are English. */
const problems: Readonly<Record<Problem["code"], (target: string) => readonly [string, string]>> = {
  engine_unavailable: (target) => [
    `아바타가 쓰는 ${target} 엔진을 사용할 수 없습니다.`,
    "키를 설정하거나 설치하거나, 아바타에서 다른 엔진을 선택하세요.",
  ],
  engine_failing: (target) => [
    `아바타가 쓰는 ${target} 엔진이 응답하지 않습니다.`,
    "엔진 페이지에서 시험하면 원인을 알 수 있습니다.",
  ],
  media_down: () => [
    "미디어 프로세스가 실행되지 않아 화면과 소리가 없습니다. 방문자는 글로 쓸 수 있습니다.",
    "프로세스는 자동으로 다시 시작됩니다. 계속되면 서버 로그를 확인하세요.",
  ],
  recognizer_missing: (target) => [
    `음성 인식기 ${target}을(를) 사용할 수 없습니다. 방문자는 글로 쓸 수 있습니다.`,
    "인식기를 설치하거나 아바타에서 다른 인식기를 선택하세요.",
  ],
  disk_nearly_full: () => [
    "데이터 폴더의 디스크가 거의 찼습니다.",
    "공간을 비우세요. 공간이 없으면 아무것도 저장할 수 없습니다.",
  ],
  month_nearly_used: () => [
    "이번 달의 대화 시간이 거의 다 쓰였습니다.",
    "한도를 늘리거나 다시 시작될 때까지 기다리세요.",
  ],
  webhook_off: (target) => [
    `${target} 웹훅이 꺼졌습니다. 전송이 계속 실패했거나 받는 쪽이 거절했습니다.`,
    "시험해 본 뒤 다시 켜거나 삭제하세요.",
  ],
  limit_reached: () => ["대화 시간 한도에 도달했습니다.", "한도를 늘리거나 다시 시작될 때까지 기다리세요."],
};

/** The texts of the overview, in Korean. */
export const overview: typeof english = {
  avatar: "아바타",
  allAvatars: "모든 아바타",
  firstTitle: "첫 대화까지 세 단계",
  firstLead: "모든 것은 바로 저장됩니다. 세 번째 단계 전에는 아무도 아바타를 볼 수 없습니다.",
  firstAllDone: "모두 준비되었습니다. 페이지에서 첫 대화가 끝나면 이 목록은 사라집니다.",
  noneYet: "아직 대화가 없습니다",
  today: (count) => (count === 0 ? "오늘은 대화가 없습니다" : `오늘 대화 ${figure(count)}건`),
  todayOf: (name, count) =>
    count === 0 ? `${name}: 오늘은 대화가 없습니다` : `${name}: 오늘 대화 ${figure(count)}건`,
  until: (day, time) => `${day}, ${time}까지.`,
  answered: (answered, questions) => `질문 ${questions}개 중 ${answered}개에 답했습니다.`,
  problem: ({ code, target }) => problems[code](target ?? ""),
  since: (time) => `시작: ${time}.`,
  solve: { engines: "엔진 보기", avatars: "아바타 보기", knowledge: "지식 보기", settings: "설정 보기" },
  quoted: "답은 작성한 글에서 인용합니다.",
  quotedText:
    "자유로운 대화를 원하면 언제든 언어 모델을 추가하세요. 그때까지 아무것도 이 서버를 떠나지 않습니다.",
  addModel: "언어 모델 추가",
  steps: {
    done: "완료",
    avatar: {
      title: "아바타 만들기",
      text: "얼굴과 목소리, 그리고 대화의 시작.",
      open: "시작 전",
      choose: "템플릿을 고르거나 있는 아바타를 바꾸세요",
      own: (name) => `${name}: 직접 만든 아바타`,
      begin: "아바타 고르기",
      change: (name) => `${name} 바꾸기`,
    },
    knowledge: {
      title: "가르치기",
      text: "작성한 내용만 말합니다.",
      open: "아직 내용 없음",
      add: "글을 쓰거나 파일을 추가하세요",
      documents: (count) => `문서 ${figure(count)}개`,
      begin: "가르치기 시작",
      more: "지식 열기",
    },
    page: {
      title: "페이지에 넣기",
      text: "HTML 한 줄이면 됩니다. 나타나면 알려 드립니다.",
      open: "아직 페이지에 없음",
      waiting: "페이지를 기다리는 중",
      done: "페이지에 표시 중",
      name: "페이지 주소 입력",
      paste: "HTML 한 줄 붙여넣기",
      arrived: (host, time) => `${host}에서 처음 확인: ${time}`,
      begin: "HTML 한 줄 가져오기",
    },
  },
  figures: {
    conversations: "대화",
    compared: (difference, weekday) =>
      difference === 0
        ? `지난 ${weekday}과 같음`
        : `지난 ${weekday}보다 ${figure(Math.abs(difference))}건 ${difference > 0 ? "많음" : "적음"}`,
    talking: "대화 시간",
    minutes: "분",
    each: (length) => `한 건에 ${length}`,
    answered: "답함",
    of: (questions) => `/ ${questions}`,
    missing: "답하지 못함",
    teach: "가르치기",
    firstPicture: "첫 화면까지",
    seconds: "초",
    half: "절반은 더 빠름",
  },
  chart: {
    title: "하루 대화 수",
    last: (days) => `최근 ${days}일`,
    answered: "모두 답함",
    missing: "답이 빠짐",
    name: (days, today) => `최근 ${days}일의 하루 대화 수. 오늘 ${figure(today)}건.`,
    day: (day, count, missing) => `${day}: 대화 ${figure(count)}건, 답이 빠진 대화 ${figure(missing)}건`,
    asTable: "표로 보기",
    columns: {
      day: "날짜",
      conversations: "대화",
      missing: "답이 빠진 대화",
      questions: "질문",
      unanswered: "답 없는 질문",
      talking: "대화 시간",
    },
  },
  limits: {
    title: "한도",
    change: "변경",
    kinds: {
      talking_day: "오늘 대화 시간",
      lines: "동시 대화",
      model_day: "오늘 언어 모델",
      talking_month: "이번 달 대화 시간",
    },
    units: {
      minutes: {
        of: (used, limit) => `${limit}분 중 ${used}분`,
        open: (used) => `${used}분, 한도 없음`,
      },
      lines: {
        of: (used, limit) => `${limit}건 중 ${used}건`,
        open: (used) => `${used}건, 한도 없음`,
      },
      money: {
        of: (used, limit) => `${limit} 중 ${used}`,
        open: (used) => `${used}, 한도 없음`,
      },
      tokens: {
        of: (used, limit) => `${limit}토큰 중 ${used}토큰`,
        open: (used) => `${used}토큰, 한도 없음`,
      },
    },
    note: (place) => `한도에 도달해도 방문자는 글로 쓸 수 있습니다. 하루는 ${place} 시각 자정에 시작합니다.`,
    none: "설정된 한도가 없습니다.",
  },
  missing: {
    title: "답하지 못한 질문",
    all: (count) => (count === 0 ? "모든 질문" : `${figure(count)}개 모두`),
    asked: (times, last) => `${figure(times)}번, 마지막: ${last}`,
    teach: "가르치기",
    none: "빠진 답이 없습니다.",
  },
  latest: {
    title: "최근 대화",
    all: "모든 대화",
    none: "아직 대화가 없습니다.",
    answered: "답함",
    missing: (count) => `답 없음 ${figure(count)}`,
    questions: (count) => (count === 0 ? "질문 없음" : `질문 ${figure(count)}개`),
  },
};
