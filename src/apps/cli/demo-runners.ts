/** The demo's runners: always the same three hundred, so that screenshots and tests can rely on them. */

import type { Runner } from "../../registry/runners/runner.ts";

const NUMBERED = 280;
const LETTERED = 20;
const FIRST_BIB = 1001;

const KOREAN = {
  family: ["김", "이", "박", "최", "정", "강", "조", "윤", "장", "임", "한", "오", "서", "신", "권", "황", "안", "송"],
  F: ["민지", "서연", "지우", "하은", "수빈", "예린", "유나", "은지", "채원", "다은", "소희", "혜진", "가영", "나래"],
  M: ["민준", "서준", "도윤", "지호", "현우", "준영", "성민", "태현", "동욱", "재훈", "승호", "영수", "건우", "상혁"],
};
const ENGLISH = {
  family: [
    "Park",
    "Kim",
    "Miller",
    "Nguyen",
    "Garcia",
    "Novak",
    "Rossi",
    "Tanaka",
    "Silva",
    "Brown",
    "Wilson",
    "Moreau",
  ],
  F: ["Emma", "Sofia", "Grace", "Hannah", "Yuki", "Laura", "Chloe", "Nina", "Alice", "Maria"],
  M: ["Daniel", "Lucas", "Noah", "James", "Ken", "Marco", "Oliver", "Tom", "David", "Pedro"],
};
const TEAMS = [
  "한강 러닝 크루",
  "여의도 새벽런",
  "잠실 마라톤 클럽",
  "Seoul Flyers",
  "Itaewon Run Club",
  "반포 나이트 러너스",
  "Seongsu Striders",
];

export function demoRunners(): Runner[] {
  const pick = createPick(20_270_418);
  const bibs = [
    ...Array.from({ length: NUMBERED }, (_, n) => String(FIRST_BIB + n)),
    ...Array.from({ length: LETTERED }, (_, n) => `A${101 + n}`),
  ];
  return bibs.map((bib) => makeRunner(bib, pick));
}

/** Numbers that look random and are the same every time: a linear congruential generator. */
function createPick(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function makeRunner(bib: string, pick: (below: number) => number): Runner {
  const oneOf = (list: string[]) => list[pick(list.length)] ?? "";
  const gender = pick(100) < 46 ? "F" : "M";
  const isKorean = pick(100) < 70;
  const name = isKorean
    ? oneOf(KOREAN.family) + oneOf(KOREAN[gender])
    : `${oneOf(ENGLISH[gender])} ${oneOf(ENGLISH.family)}`;
  const team = pick(100) < 60 ? oneOf(TEAMS) : null;
  const age = 19 + pick(26) + pick(26);
  // Two dice, so that most come in together; one in thirty does not finish.
  const seconds = 33 * 60 + pick(24 * 60) + pick(24 * 60);
  const finishTime = pick(30) === 0 ? null : clockTime(seconds);
  return { bib, name, finishTime, gender, age, team, timingResult: null, userId: null };
}

function clockTime(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
