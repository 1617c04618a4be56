/** What stands on bibs and around them: numbers, names, places, sponsors, all invented. */

import type { Random } from "../simulation/random.ts";

const CITIES = ["서울", "부산", "춘천", "경주", "대전", "제주", "여수", "강릉", "인천", "전주"];
const RACES = ["국제 마라톤", "하프 마라톤", "한강 달리기", "벚꽃 마라톤", "바다 마라톤", "새벽 달리기", "단풍 마라톤"];
const FAMILY = ["김", "이", "박", "최", "정", "강", "조", "윤", "장", "임", "한", "오"];
const GIVEN = ["민준", "서연", "도윤", "지우", "하은", "준호", "수빈", "현우", "지민", "은서", "태양", "가온"];
const NAMES = [
  "MINJUN",
  "SEOYEON",
  "DOYUN",
  "JIWOO",
  "HANNAH",
  "LUCAS",
  "EMMA",
  "OSCAR",
  "YUNA",
  "MARTA",
  "NOAH",
  "SORA",
];
const SPONSORS = [
  "HANBIT BANK",
  "NOVARUN",
  "ORUM WATER",
  "PACELINE",
  "KORO SPORTS",
  "MIRAE TEL",
  "BLUEPEAK",
  "DASAN FOODS",
];
const RACE_WORDS = [
  "CITY MARATHON",
  "HALF MARATHON",
  "RIVER RUN",
  "SPRING RACE",
  "NIGHT RUN",
  "COAST TRAIL",
  "TEN MILES",
];
const SHOPS = [
  "한강약국",
  "커피",
  "분식",
  "꽃집",
  "은빛서점",
  "BAKERY",
  "편의점",
  "세탁소",
  "안경",
  "PIZZA",
  "노래방",
  "미용실",
];
const DISTANCES = ["10 km", "21 km", "35 km", "5 km", "30 km", "FULL", "HALF", "42.195"];

export function bibNumber(random: Random, withLetter: boolean): string {
  const digits = withLetter ? random.pick([3, 3, 4]) : random.pick([3, 4, 4, 4, 5]);
  const number = String(random.between(10 ** (digits - 1), 10 ** digits - 1));
  // I and O are not given out: they look like digits.
  return withLetter ? random.pick([..."ABCDEFGHJKLMNPRSTVWX"]) + number : number;
}

export function koreanName(random: Random): string {
  return random.pick(FAMILY) + random.pick(GIVEN);
}

export function koreanRace(random: Random): string {
  return `${random.pick(CITIES)} ${random.pick(RACES)}`;
}

export function koreanCity(random: Random): string {
  return random.pick(CITIES);
}

export function latinName(random: Random): string {
  return random.pick(NAMES);
}

export function sponsor(random: Random): string {
  return random.pick(SPONSORS);
}

export function raceTitle(random: Random): string {
  return random.pick(RACE_WORDS);
}

export function shop(random: Random): string {
  return random.pick(SHOPS);
}

export function distance(random: Random): string {
  return random.pick(DISTANCES);
}

export function clockTime(random: Random): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${random.between(0, 4)}:${two(random.between(0, 59))}:${two(random.between(0, 59))}`;
}
