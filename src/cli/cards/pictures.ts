import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { readFile, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '../../lib/clock.ts'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { createCoalescer } from '../../lib/waiter.ts'
import { textIfReadable } from '../read-text.ts'
import { isDraft, writeWhole } from './site-folder.ts'

export interface CardPicture {
  readonly name: string
  readonly bytes: number
}

export type Pictures = ReturnType<typeof openPictures>

/** Puts pictures into the folder of cards: those that are there, those that are kept, those that must be drawn. */
export function openPictures(
  out: string,
  cache: string,
  extension: string,
  known: ReadonlyMap<string, CardPicture>,
  warn: (line: string) => void,
) {
  const shared = createCoalescer<CardPicture>()
  const byTag = new Map(known)
  const present = presentFiles(out)
  const kept = join(cache, 'pictures')
  const counts = { drawn: 0, copied: 0 }
  let isCacheWritable = true

  function isThere(picture: CardPicture | undefined): picture is CardPicture {
    return picture !== undefined && present.get(picture.name) === picture.bytes
  }

  async function put(tag: string, bytes: Uint8Array | string): Promise<CardPicture> {
    const name = `${hash('sha256', bytes, 'hex').slice(0, 32)}${extension}`
    const picture = { name, bytes: bytes.length }
    if (!isThere(picture)) {
      mkdirSync(out, { recursive: true })
      await writeWhole(join(out, name), bytes)
      present.set(name, bytes.length)
    }
    byTag.set(tag, picture)
    return picture
  }

  async function keep(tag: string, bytes: Uint8Array | string): Promise<void> {
    if (!isCacheWritable) return
    try {
      mkdirSync(kept, { recursive: true })
      await writeWhole(join(kept, tag + extension), bytes)
    } catch (error) {
      isCacheWritable = false
      warn(`Nothing is kept for the next run: ${reasonOf(error)}`)
    }
  }

  async function add(tag: string, draw: () => Promise<Uint8Array | string>): Promise<CardPicture> {
    const bytes = await readFile(join(kept, tag + extension)).catch(() => undefined)
    if (bytes !== undefined && bytes.length > 0 && (byTag.get(tag)?.bytes ?? bytes.length) === bytes.length) {
      counts.copied += 1
      const now = new Date()
      await utimes(join(kept, tag + extension), now, now).catch(() => {})
      return put(tag, bytes)
    }
    const drawn = await draw()
    counts.drawn += 1
    const picture = await put(tag, drawn)
    await keep(tag, drawn)
    return picture
  }

  return {
    counts,
    byTag,
    find(tag: string): CardPicture | undefined {
      const picture = byTag.get(tag)
      return isThere(picture) ? picture : undefined
    },
    async ensure(tag: string, draw: () => Promise<Uint8Array | string>): Promise<CardPicture> {
      return this.find(tag) ?? (await shared(tag, () => add(tag, draw)))
    },
    /** Removes pictures from the cache that no run has used for long, after a run that has added some. */
    async tidyCache(nowMs: number): Promise<void> {
      if (counts.drawn === 0) return
      for (const name of namesIn(kept)) {
        // Files that a killed run left unfinished grow old as well.
        if (!keptName.test(name) && !isDraft(name)) continue
        const { mtimeMs = nowMs } = statSync(join(kept, name), { throwIfNoEntry: false }) ?? {}
        if (nowMs - mtimeMs > unusedMsMax) await rm(join(kept, name), { force: true }).catch(() => {})
      }
    },
    names: () => [...present.keys()],
    remove: (name: string) => rm(join(out, name), { force: true }),
  }
}

const unusedMsMax = 90 * dayMs

function presentFiles(out: string): Map<string, number> {
  const names = namesIn(out).filter((name) => pictureName.test(name))
  return new Map(
    names.map((name) => [name, statSync(join(out, name), { throwIfNoEntry: false })?.size ?? -1]),
  )
}

/** Names in the cache, whose folder may have files of others: `--cache` takes any. */
const keptName = /^[\w-]{22}\.[a-z]+$/
const pictureName = /^[\da-f]{32}\.[a-z]+$/

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

interface Manifest {
  readonly defaultPictures: readonly string[]
  readonly unusedSince: Readonly<Record<string, string>>
}

const manifestName = '.mintmark.json'

export function readManifest(out: string): Manifest {
  const value = parseJson(textIfReadable(join(out, manifestName)))
  const { defaultPictures, unusedSince } = isJsonObject(value) ? value : {}
  const urls: readonly unknown[] = Array.isArray(defaultPictures) ? defaultPictures : []
  const days = Object.entries(isJsonObject(unusedSince) ? unusedSince : {})
  return {
    defaultPictures: urls.filter((url) => typeof url === 'string'),
    unusedSince: Object.fromEntries(
      days.flatMap(([name, day]) => (typeof day === 'string' ? [[name, day]] : [])),
    ),
  }
}

export async function writeManifest(out: string, manifest: Manifest): Promise<void> {
  const path = join(out, manifestName)
  const text = manifestText(manifest)
  const isEmpty = text === manifestText({ defaultPictures: [], unusedSince: {} })
  if (isEmpty && !existsSync(out)) return
  if (existsSync(path) && text === manifestText(readManifest(out))) return
  mkdirSync(out, { recursive: true })
  await writeWhole(path, text)
}

/** One spelling for one content, because a run that changes nothing must change no byte. */
function manifestText({ defaultPictures, unusedSince }: Manifest): string {
  const sorted = Object.fromEntries(
    Object.entries(unusedSince).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  return `${JSON.stringify({ defaultPictures: [...defaultPictures].sort(), unusedSince: sorted }, null, 2)}\n`
}

/** Networks keep the URL of a picture for weeks. */
const unusedDaysMax = 30

export function unusedPictures(
  names: readonly string[],
  used: ReadonlySet<string>,
  earlier: Manifest['unusedSince'],
  { nowMs, prune }: { readonly nowMs: number; readonly prune?: true },
) {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const since = names.filter((name) => !used.has(name)).map((name) => [name, earlier[name] ?? today] as const)
  const isOld = (day: string) => prune || nowMs - Date.parse(day) >= unusedDaysMax * dayMs
  return {
    unusedSince: Object.fromEntries(since.filter(([, day]) => !isOld(day))),
    removed: since.filter(([, day]) => isOld(day)).map(([name]) => name),
  }
}
