import { PathScanner } from './path-scanner.ts'

/** Numbers as path data separate them; undefined for anything else. An empty text has none. */
export function readNumbers(text: string): readonly number[] | undefined {
  const scanner = new PathScanner(text)
  const numbers: number[] = []
  try {
    while (!scanner.isAtEnd()) numbers.push(scanner.next())
    return numbers
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
