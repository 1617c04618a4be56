/** Which field of a runner a column of a file is, by the names that the server knows. */

export const COLUMN_FIELDS = ["bib", "name", "finishTime", "gender", "age", "team", "timingResult", "userId"] as const;
export type ColumnField = (typeof COLUMN_FIELDS)[number];

const NAMES: { [Field in ColumnField]: string[] } = {
  bib: ["bib", "bib_number", "number", "배번", "배번호", "참가번호"],
  name: ["name", "이름", "성명"],
  finishTime: ["finish_time", "time", "기록", "완주기록"],
  gender: ["gender", "sex", "성별"],
  age: ["age", "나이", "연령"],
  team: ["team", "club", "팀", "소속"],
  timingResult: ["timing_result"],
  userId: ["user_id"],
};

/** For a column that the server does not know: `undefined`. */
export function fieldOf(heading: string): ColumnField | undefined {
  const name = heading
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return COLUMN_FIELDS.find((field) => NAMES[field].includes(name));
}

export function namesOf(field: ColumnField): string[] {
  return NAMES[field];
}
