/** @jsxImportSource #jsx */
import type { Child } from '../../lib/jsx/markup.ts'

/** Lets a long name break after its underscores, and nowhere else. */
export function breakable(code: string): Child {
  return code.split(/(?<=_)/).flatMap((part, index) => (index === 0 ? [part] : [<wbr />, part]))
}
