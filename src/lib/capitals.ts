const georgian = /[\u10D0-\u10FF]/
const otherThanGeorgian = /[^\u10D0-\u10FF]+/g

/** Upper case for display. Georgian stays as it is: hardly any font has its capitals. */
export function capitals(text: string, lang?: string): string {
  function upper(part: string) {
    return lang === undefined ? part.toUpperCase() : raise(part, lang)
  }
  return georgian.test(text) ? text.replace(otherThanGeorgian, upper) : upper(text)
}

/** In the language's own way, where its tag is one that the runtime knows. */
function raise(text: string, lang: string): string {
  try {
    return text.toLocaleUpperCase(lang)
  } catch {
    return text.toUpperCase()
  }
}
