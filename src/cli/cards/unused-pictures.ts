/** Networks keep the address of a picture for weeks. */
const unusedDaysMax = 30
const dayMs = 86_400_000

export interface UnusedPictures {
  /** Days since which no page names a picture, by its name. */
  readonly unusedSince: Readonly<Record<string, string>>
  readonly removed: readonly string[]
}

/** Decides which pictures that no page names any more are removed now. */
export function unusedPictures(
  names: readonly string[],
  used: ReadonlySet<string>,
  {
    earlier,
    nowMs,
    prunes,
  }: {
    readonly earlier: Readonly<Record<string, string>>
    readonly nowMs: number
    readonly prunes: boolean
  },
): UnusedPictures {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const since = names.filter((name) => !used.has(name)).map((name) => [name, earlier[name] ?? today] as const)
  function isOld(day: string): boolean {
    return prunes || nowMs - Date.parse(day) >= unusedDaysMax * dayMs
  }
  return {
    unusedSince: Object.fromEntries(since.filter(([, day]) => !isOld(day))),
    removed: since.filter(([, day]) => isOld(day)).map(([name]) => name),
  }
}
