/** One line of the result table. `passed` is undefined where the row only informs. */
export interface Row {
  readonly what: string
  readonly ours: string
  readonly peer: string
  readonly ratio: string
  readonly target: string
  readonly passed?: boolean
  /** How often it was measured, where it fell short the first time. */
  readonly tries?: number
  /** Both sides of a comparison as numbers, for a picture with bars. */
  readonly compared?: Compared
  /** The data behind the row's figure, for a picture with lines. */
  readonly line?: Line
}

export interface Compared {
  readonly ours: number
  readonly peerName: string
  readonly peer: number
  readonly unit: string
}

export interface Line {
  readonly name: string
  readonly points: readonly Point[]
}

export type Point = readonly [x: number, y: number]

/** A row that compares a cost (time, bytes) with a peer's: our figure must be `atLeast` times smaller. */
export function fasterRow(
  what: string,
  ours: number,
  peerName: string,
  peer: number,
  atLeast: number,
  unit = 'µs',
): Row {
  const ratio = peer / ours
  return {
    what,
    ours: `${round(ours)} ${unit}`,
    peer: `${peerName} ${round(peer)} ${unit}`,
    ratio: `${round(ratio)}×`,
    target: `≥ ${atLeast}×`,
    passed: ratio >= atLeast,
    compared: { ours, peerName, peer, unit },
  }
}

/** A row with an upper bound on our own figure. */
export function boundRow(what: string, ours: number, atMax: number, unit: string, against = ''): Row {
  return {
    what,
    ours: `${round(ours)} ${unit}`,
    peer: against,
    ratio: '',
    target: `≤ ${atMax} ${unit}`,
    passed: ours <= atMax,
  }
}

interface Ratio {
  readonly what: string
  readonly ours: string
  readonly peer: string
  readonly ratio: number
  readonly atLeast: number
}

/** A row with a lower bound on our figure's share of another, or on how many times as large it is. */
export function ratioRow({ what, ours, peer, ratio, atLeast }: Ratio): Row {
  return { what, ours, peer, ratio: `${round(ratio)}×`, target: `≥ ${atLeast}×`, passed: ratio >= atLeast }
}

/** A row with a lower bound on how much is done in a second. */
export function rateRow(what: string, perSecond: number, atLeast: number): Row {
  return {
    what,
    ours: round(perSecond),
    peer: '',
    ratio: '',
    target: `≥ ${atLeast}`,
    passed: perSecond >= atLeast,
  }
}

/** Rows of fewer rounds than were wanted say so. */
export function roundsTold(rows: readonly Row[], rounds: number, wanted: number): readonly Row[] {
  return rounds >= wanted ? rows : rows.map((row) => ({ ...row, peer: `${row.peer}, rounds: ${rounds}` }))
}

/** A peer that is not there: said, never hidden. */
export function skippedRow(what: string, why: string): Row {
  return { what, ours: 'skipped', peer: why, ratio: '', target: '' }
}

export function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
