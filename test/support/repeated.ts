/** A text of a table in JSON, in which `{x*500}` stands for so many repetitions. */
export function repeated(text: string): string {
  return text.replace(/\{(.+?)\*(\d+)\}/g, (_, part: string, times: string) => part.repeat(Number(times)))
}
