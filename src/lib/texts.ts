/** Writes the values into a text, where their names stand in braces. Other braces stay. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => String(values[name] ?? braces))
}

/** The parts of a file of texts by their names, each below a line such as `=== name`. */
export function textParts(source: string): ReadonlyMap<string, string> {
  const [, ...pieces] = source.split(/^=== (.+)\n/m)
  return new Map(
    pieces.flatMap((name, index) => (index % 2 === 0 ? [[name, pieces[index + 1]?.trim() ?? '']] : [])),
  )
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
