/** @jsxImportSource #jsx */
import type { Child } from '../../lib/jsx/markup.ts'

/** Lets a long name or path break at its underscores, slashes and dots, and nowhere else. */
export function breakable(code: string): Child {
  return code
    .split(/(?<=[_/])|(?=\.[a-z])/)
    .flatMap((part, index) => (index === 0 ? [part] : [<wbr />, part]))
}
