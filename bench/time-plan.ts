import type { SectionResult } from './report/section-result.ts'

/** Whatever is measured ends within half an hour. */
const wholeSecondsMax = 30 * 60
/** Estimates for sections whose duration has never been recorded. */
const guessedSeconds: Readonly<Record<string, number>> = { memory: 300, cold: 240 }
const unknownSeconds = 120
/** The looks at how quiet the machine is, before and after. */
const looksSeconds = 5

/** How long sections will take, by what they took last, and how long each may take at most. */
export function planTime(names: readonly string[], results: readonly SectionResult[]) {
  const estimates = names.map((name) => {
    const seconds = results.find((result) => result.name === name)?.seconds
    return {
      name,
      seconds: (seconds ?? guessedSeconds[name] ?? unknownSeconds) + looksSeconds,
      isKnown: seconds !== undefined,
    }
  })
  function secondsFrom(index: number): number {
    return estimates.slice(index).reduce((sum, { seconds }) => sum + seconds, 0)
  }
  const list = estimates.map(
    ({ name, seconds, isKnown }) => `${name} ${isKnown ? '' : 'perhaps '}${seconds} s`,
  )
  return {
    text: `About ${Math.ceil(secondsFrom(0) / 60)} min, at most ${wholeSecondsMax / 60}: ${list.join(', ')}.`,
    /**
     * How long this section may take when so much of the whole has gone by: twice its estimate and a minute, unless the
     * sections after it need that time; but what it took last it may take again, while there is time at all.
     */
    limitSeconds(name: string, goneSeconds: number): number {
      const index = names.indexOf(name)
      const own = estimates[index]?.seconds ?? 0
      const left = Math.max(0, wholeSecondsMax - goneSeconds)
      const spare = left - secondsFrom(index + 1)
      return Math.min(left, Math.max(own, Math.min(2 * own + 60, spare)))
    },
  }
}
