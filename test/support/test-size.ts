import { test } from 'bun:test'
import process from 'node:process'

const { TEST_SIZE: testSize } = process.env

/**
 * Whether this run is the README's quick one, as `run-tests.ts` says. A file that somebody runs alone runs whole. Files that
 * import this module have a quick form.
 */
export const isQuick = testSize === 'quick'

/** The runtimes that a file goes through: in its quick form Bun alone. */
export const runtimes: readonly ('bun' | 'deno')[] = isQuick ? ['bun'] : ['bun', 'deno']

/** A test that the quick form of its file leaves out. */
export const slowTest = isQuick ? test.skip : test

/** The size of a sample: the smaller one in the quick form of a file. */
export function sampleSize(whole: number, quick: number): number {
  return isQuick ? quick : whole
}

/** All of a list; each nth of it in the quick form of a file. */
export function sampleOf<T>(list: readonly T[], nth: number): T[] {
  return list.filter((_, index) => !isQuick || index % nth === 0)
}
