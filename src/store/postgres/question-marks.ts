/** The statement with PostgreSQL's parameters: `?` becomes `$1`, `$2` and so on, `?2` becomes `$2`. Texts in quotes stay. */
export function numberParameters(sql: string): string {
  let next = 0
  return sql.replace(/'(?:[^']|'')*'|"[^"]*"|\?(\d*)/g, (found, number: string | undefined) => {
    if (number === undefined) return found
    next = number === '' ? next + 1 : Number(number)
    return `$${next}`
  })
}
