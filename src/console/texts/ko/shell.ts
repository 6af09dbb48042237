import type { ShellTexts } from "../en/shell.ts";
import { figure } from "./count.ts";

/** What every page needs, in Korean: navigation, signing in, errors, states. */
export const shell: ShellTexts = {
  console: "콘솔",
  skip: "본문으로 건너뛰기",
  nav: {
    overview: "개요",
    live: "실시간",
    inbox: "받은 메시지",
    avatars: "아바타",
    knowledge: "지식",
    conversations: "대화",
    unanswered: "답하지 못한 질문",
    engines: "엔진",
    settings: "설정",
    more: "더보기",
    open: (count) => `${count}개 남음`,
    dark: "어두운 색상",
    light: "밝은 색상",
    signOut: "로그아웃",
  },
  roles: { owner: "소유자", editor: "편집자", answers: "응대", viewer: "뷰어" },
  signIn: {
    title: "콘솔에 로그인",
    password: "비밀번호",
    username: "사용자 이름",
    usernameHelp: "첫 시작 때의 비밀번호를 쓰려면 비워 두세요.",
    withUsername: "사용자 이름이 있습니다",
    show: "비밀번호 표시",
    hide: "비밀번호 숨기기",
    submit: "로그인",
    signingIn: "로그인하는 중",
    help: "비밀번호는 어디에 있나요?",
    helpText:
      "서버가 처음 시작할 때 한 번 출력했습니다. 서버를 운영하는 사람은 VISAVIS_PASSWORD로 새 비밀번호를 정할 수 있습니다. 다른 사람은 초대받았을 때 정한 사용자 이름과 비밀번호로 로그인합니다.",
    expiredTitle: "다시 로그인",
    expired: "로그아웃되었습니다. 입력한 내용은 그대로 있습니다.",
    giveUp: "저장하지 않고 나가기",
    server: "내 서버에서 실행 중",
  },
  invitation: {
    title: "초대를 받았습니다",
    lead: (organization, role) => `${organization} 콘솔, 역할: ${role}`,
    gone: "사용할 수 없는 초대입니다",
    goneText: "이미 사용했거나 취소되었거나 일주일이 지났습니다. 초대한 사람에게 새 초대를 요청하세요.",
    username: "사용자 이름 정하기",
    password: "비밀번호 정하기",
    passwordHelp: "12자 이상",
    submit: "계정 만들기",
  },
  errors: {
    unexpected: "이 페이지에 문제가 생겼습니다. 새로고침하세요.",
    network: "서버가 응답하지 않습니다. 연결을 확인한 뒤 다시 시도하세요.",
    expired: "로그아웃되었습니다. 로그인한 뒤 다시 시도하세요.",
    wrongPassword: (left) =>
      left === null
        ? "비밀번호가 맞지 않습니다."
        : left === 0
          ? "비밀번호가 맞지 않습니다. 1분 뒤에 다시 시도하세요."
          : `비밀번호가 맞지 않습니다. 이번 1분 동안 ${figure(left)}번 더 시도할 수 있습니다.`,
    forbidden: "여기서는 할 수 없는 작업입니다.",
    notFound: "더 이상 없습니다. 누군가 삭제했을 수 있습니다.",
    conflict: "그사이 다른 사람이 변경했습니다. 다시 불러와 확인하세요.",
    tooLarge: "서버가 받기에는 너무 큽니다. 크기를 줄인 뒤 다시 시도하세요.",
    rateLimited: (seconds) =>
      seconds === null
        ? "너무 자주 시도했습니다. 1분 뒤에 다시 시도하세요."
        : `너무 자주 시도했습니다. ${figure(seconds)}초 뒤에 다시 시도하세요.`,
    invalid: "서버가 받아들이지 않는 값입니다.",
    server: "서버에 오류가 생겼습니다. 다시 시도하고, 계속되면 서버 로그를 확인하세요.",
    unreadable: "서버의 응답을 읽을 수 없습니다. 업데이트되었을 수 있으니 새로고침하세요.",
    noPage: "없는 페이지입니다",
    noPageText: "오래된 주소일 수 있습니다.",
    toStart: "처음으로",
    notForRole: "이 역할로는 볼 수 없는 페이지입니다.",
  },
  states: {
    loading: "불러오는 중",
    tryAgain: "다시 시도",
    tryingAgain: (attempt, of) => `서버가 응답하지 않습니다. 다시 시도하는 중 (${attempt}/${of}).`,
    loadMore: "더 보기",
  },
  undo: "실행 취소",
  cancel: "취소",
  close: "닫기",
  save: "저장",
  copy: "복사",
  copied: "복사됨",
  copyNow: "지금 복사하세요. 한 번만 표시됩니다.",
  never: "없음",
  time: {
    today: "오늘",
    yesterday: "어제",
    todayAt: (time) => `오늘 ${time}`,
    yesterdayAt: (time) => `어제 ${time}`,
    withinToday: (time) => `오늘 ${time}`,
    withinYesterday: (time) => `어제 ${time}`,
    dayAt: (day, time) => `${day} ${time}`,
    seconds: (seconds) => `${seconds}초`,
    minutes: (minutes, seconds) => `${minutes}분 ${seconds}초`,
  },
};
