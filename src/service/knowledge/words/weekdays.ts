/** The names of the days in the languages that the answerer knows, from Sunday on: long ones, then short ones. */
const longNames: readonly string[] = [
  "sunday sonntag sonntags domingo dimanche domenica 일요일 日曜日 日曜 星期日 星期天 周日 الأحد ראשון",
  "monday montag montags lunes lundi lunedì segunda segunda-feira 월요일 月曜日 月曜 星期一 周一 الاثنين שני",
  "tuesday dienstag dienstags martes mardi martedì terça terça-feira 화요일 火曜日 火曜 星期二 周二 الثلاثاء שלישי",
  "wednesday mittwoch mittwochs miércoles mercredi mercoledì quarta quarta-feira 수요일 水曜日 水曜 星期三 周三 الأربعاء רביעי",
  "thursday donnerstag donnerstags jueves jeudi giovedì quinta quinta-feira 목요일 木曜日 木曜 星期四 周四 الخميس חמישי",
  "friday freitag freitags viernes vendredi venerdì sexta sexta-feira 금요일 金曜日 金曜 星期五 周五 الجمعة שישי",
  "saturday samstag samstags sonnabend sábado samedi sabato 토요일 土曜日 土曜 星期六 周六 السبت שבת",
];
const shortNames: readonly string[] = [
  "sun so dom dim",
  "mon mo lun",
  "tue tues di mar",
  "wed mi mié mie mer",
  "thu thur thurs do jue jeu gio",
  "fri fr vie ven",
  "sat sa sáb sab sam",
];
/** Short names that are no other word, so that they count everywhere. */
const clearShortNames: ReadonlySet<string> = new Set(["mon", "tue", "tues", "wed", "thu", "thurs", "fri"]);

const dayOf = new Map<string, number>();
for (const names of [longNames, shortNames])
  for (const [day, list] of names.entries()) for (const name of list.split(" ")) dayOf.set(name, day);

const anyName = [...dayOf.keys()].sort((one, other) => other.length - one.length).join("|");
/** Korean and Japanese names are followed by particles, without a space. */
const letter = "[\\p{Script=Latin}\\p{Script=Hebrew}\\p{Script=Arabic}]";
const oneDay = new RegExp(`(?<!${letter})(${anyName})(?:s|e|en)?\\.?(?!${letter})`, "gu");
const fromTo = new RegExp(
  `(?<!\\p{L})(${anyName})s?\\.?\\s*(?:-|–|—|to|through|until|till|bis|a|al|au|à|às|~)\\s*(${anyName})s?\\.?(?!\\p{L})`,
  "gu",
);
const koreanDays = "일월화수목금토";
const koreanFromTo = /([월화수목금토일])(?:요일)?\s*[~\-–]\s*([월화수목금토일])(?:요일)?(?=\s|$|\d)/gu;
const koreanShort = /(?:^|[\s,])([월화수목금토일])(?=[\s,]|$)/gu;

const workingDays =
  /weekdays?|wochentags|werktags|entre semana|días laborables|en semaine|giorni feriali|dias úteis|평일|平日|工作日/;
const weekend = /weekends?|wochenende|fin de semana|fim de semana|week-end|fine settimana|주말|週末|周末/;
const everyDay =
  /\bdaily\b|every day|seven days|täglich|jeden tag|todos los días|a diario|tous les jours|tutti i giorni|todos os dias|diariamente|매일|毎日|每天/;

function addRange(days: Set<number>, from: number, to: number): void {
  for (let day = from; ; day = (day + 1) % 7) {
    days.add(day);
    if (day === to) return;
  }
}

function addKorean(days: Set<number>, text: string): void {
  for (const [, from = "", to = ""] of text.matchAll(koreanFromTo))
    addRange(days, koreanDays.indexOf(from), koreanDays.indexOf(to));
  for (const [, day = ""] of text.matchAll(koreanShort)) days.add(koreanDays.indexOf(day));
}

/** The days of the week that a text speaks of, 0 for Sunday. `short`: also by names such as "So", as in lines of opening hours. */
export function daysIn(text: string, { short = false } = {}): Set<number> {
  const days = new Set<number>();
  const read = text.toLowerCase();
  const counts = (name: string): boolean =>
    short || name.length > 3 || clearShortNames.has(name) || /[^\p{Script=Latin}-]/u.test(name);
  for (const [, from = "", to = ""] of read.matchAll(fromTo))
    if (counts(from)) addRange(days, dayOf.get(from) ?? 0, dayOf.get(to) ?? 0);
  for (const [, name = ""] of read.matchAll(oneDay)) if (counts(name)) days.add(dayOf.get(name) ?? 0);
  if (short) addKorean(days, read);
  if (workingDays.test(read)) addRange(days, 1, 5);
  if (weekend.test(read)) addRange(days, 6, 0);
  if (everyDay.test(read)) addRange(days, 0, 6);
  return days;
}

const afterTomorrow =
  /day after tomorrow|übermorgen|pasado mañana|après-demain|dopodomani|depois de amanhã|모레|明後日|后天|後天/;
const tomorrow =
  /\btomm?orr?ow\b|(?<!guten )\bmorgen\b(?! früh)|(?<!la |por )\bmañana\b|\bdemain\b|\bdomani\b|\bamanhã(?!\p{L})|내일|明日|明天|غدا|מחר/u;
const today =
  /\btoday\b|\btonight\b|right now|\bheute\b|\bhoy\b|aujourd'hui|\boggi\b|\bhoje\b|오늘|今日|今天|اليوم|היום/u;

/** The day of the week that "today", "tomorrow" and the like mean; null where a text has none of them. */
export function relativeDay(text: string, dayToday: number): number | null {
  const read = text.toLowerCase();
  if (afterTomorrow.test(read)) return (dayToday + 2) % 7;
  if (tomorrow.test(read)) return (dayToday + 1) % 7;
  return today.test(read) ? dayToday : null;
}

/** Whether this machine knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

const shortDays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** The day of the week now in a time zone, 0 for Sunday; in the server's, where none is named or nobody knows it. */
export function dayTodayIn(name: string | undefined): number {
  const timeZone = name !== undefined && isTimeZone(name) ? name : undefined;
  return shortDays.indexOf(new Intl.DateTimeFormat("en", { weekday: "short", timeZone }).format(new Date()));
}
