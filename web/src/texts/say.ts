/** Finds a text by its path, in the form that its count asks for, and fills it in. */

/** By their paths. */
export type Texts = Map<string, string>;
export type Values = { [name: string]: string | number | null | undefined };

export function say(texts: Texts, language: string, path: string, values: Values = {}): string {
  const text = find(texts, language, path, values.count);
  if (text === undefined) {
    // Tests fail on what the console complains about.
    console.error(`There is no text ${path} in ${language}.`);
    return path;
  }
  return text.replace(/\{\{(\w+)(, number)?\}\}/g, (hole, name: string, asNumber?: string) => {
    const value = values[name];
    if (value === undefined || value === null) return hole;
    return asNumber && typeof value === "number" ? new Intl.NumberFormat(language).format(value) : String(value);
  });
}

function find(texts: Texts, language: string, path: string, count?: Values[string]): string | undefined {
  if (typeof count !== "number") return texts.get(path);
  const form = new Intl.PluralRules(language).select(count);
  const zero = count === 0 ? texts.get(`${path}_zero`) : undefined;
  return zero ?? texts.get(`${path}_${form}`) ?? texts.get(`${path}_other`) ?? texts.get(path);
}
