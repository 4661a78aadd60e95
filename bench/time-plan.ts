import type { SectionResult } from './report/section-result.ts'

/** Whatever is measured ends within half an hour. */
const wholeSecondsMax = 30 * 60
/** Estimates for sections whose duration has never been recorded. */
const guessedSeconds: Readonly<Record<string, number>> = { site: 100, admin: 125 }
const unknownSeconds = 40
/** No section needs longer: what took longer last had a slow machine, or measured again. */
const sectionSecondsMax = 130
/** The looks at how quiet the machine is, and starting a process. */
const looksSeconds = 3

/** How long sections will take, by what they took last, and how long each may take at most. */
export function planTime(names: readonly string[], results: readonly SectionResult[]) {
  const estimates = names.map((name) => {
    const seconds = results.find((result) => result.name === name)?.seconds
    return {
      name,
      seconds: Math.min(sectionSecondsMax, seconds ?? guessedSeconds[name] ?? unknownSeconds) + looksSeconds,
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
     * How long a section may take when so much of the whole has gone by, and for how long of that it may measure again what
     * fell short. The limit is its share of what is left. On a machine that is so many times slower it is half as much again
     * as the section should need there, and 30 s, if that is more and leaves the sections after it what they took last.
     */
    limits(name: string, goneSeconds: number, slowerTimes = 1) {
      const index = names.indexOf(name)
      const own = estimates[index]?.seconds ?? 0
      const left = Math.max(0, wholeSecondsMax - goneSeconds)
      const share = left * (own / secondsFrom(index))
      const spare = left - secondsFrom(index + 1)
      const limitSeconds = Math.max(share, Math.min(1.5 * own * slowerTimes + 30, spare))
      return { limitSeconds, repeatSeconds: Math.max(0, limitSeconds - own * slowerTimes) }
    },
  }
}
