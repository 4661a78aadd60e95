import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { quietTimesMax } from '../support/quietness.ts'
import type { Row } from '../support/row.ts'

/** The results of one run of a section; `bench/results/<name>.json` holds the latest. */
export interface SectionResult {
  readonly name: string
  /** A day, as 2026-01-31. */
  readonly measuredOn: string
  readonly machine: string
  /** How many times slower than at its best the machine was, at worst; undefined where nobody looked. */
  readonly slowerTimes?: number
  readonly seconds?: number
  readonly rows: readonly Row[]
}

const folder = new URL('../results/', import.meta.url)

/** The processor, as results and its best figure name it. */
export const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Bun ${Bun.version}`

export function isQuiet({ slowerTimes }: Pick<SectionResult, 'slowerTimes'>): boolean {
  return slowerTimes !== undefined && slowerTimes <= quietTimesMax
}

export async function saveResult(result: SectionResult): Promise<void> {
  await writeJson(`${result.name}.json`, result)
}

/** The latest of each section that was ever measured, in the order of the names. */
export function savedResults(names: readonly string[]): readonly SectionResult[] {
  return names.flatMap((name) => readJson<SectionResult>(`${name}.json`) ?? [])
}

/** Requests a second of the constant route at its best, on machines such as this; 0 where none was ever measured. */
export function savedBest(): number {
  return readJson<Record<string, number>>(bestFile)?.[machine] ?? 0
}

export async function saveBest(perSecond: number): Promise<void> {
  const all = readJson<Record<string, number>>(bestFile) ?? {}
  await writeJson(bestFile, { ...all, [machine]: Math.round(perSecond) })
}

const bestFile = 'constant-route.json'

function readJson<T>(name: string): T | undefined {
  const file = new URL(name, folder)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined
}

async function writeJson(name: string, value: unknown): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(new URL(name, folder), `${JSON.stringify(value, undefined, 1)}\n`)
}
