import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Body } from '../../lib/body.ts'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { refuseLinks } from '../refuse-links.ts'
import { manifestName } from './plan-files.ts'

/** A picture that was drawn. */
export interface DrawnFile {
  /** Its path below the directory. */
  readonly file: string
  /** The call that it was drawn for: equal tags mean equal bytes. */
  readonly tag: string
  readonly sha256: string
  readonly bytes: number
}

/** The folder of what is not finished, below the directory of output. Gone after a run that came to its end. */
const unfinishedName = '.unfinished'

export type DrawnFiles = Awaited<ReturnType<typeof openDrawnFiles>>

/**
 * Opens a directory of pictures. A file in it appears whole or not at all, and a journal notes each, so that a run that
 * was killed goes on where it was.
 */
export async function openDrawnFiles(directory: string) {
  const unfinished = join(directory, unfinishedName)
  const journalPath = join(unfinished, 'journal.jsonl')
  await mkdir(unfinished, { recursive: true }).catch(fail(directory))
  refuseLinks(directory, journalPath)
  const earlier = [...(await readManifest(directory)), ...(await readJournal(journalPath))]
  const byTag = new Map(earlier.map((drawn) => [drawn.tag, drawn]))
  const byFile = new Map(earlier.map((drawn) => [drawn.file, drawn]))
  const journal: FileHandle = await open(journalPath, 'a').catch(fail(journalPath))
  let count = 0

  async function write(file: string, body: Body): Promise<void> {
    count += 1
    const draft = join(unfinished, String(count))
    const path = join(directory, file)
    try {
      await rm(draft, { force: true })
      await writeFile(draft, body, { flag: 'wx' })
      refuseLinks(directory, dirname(path))
      await mkdir(dirname(path), { recursive: true })
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  return {
    /** Returns the picture that an earlier run drew for the call, if it is still there as it was. */
    async find(tag: string, name: string | undefined): Promise<DrawnFile | undefined> {
      const drawn = name === undefined ? byTag.get(tag) : byFile.get(name)
      if (drawn?.tag !== tag) return undefined
      return (await hashOf(join(directory, drawn.file))) === drawn.sha256 ? drawn : undefined
    },
    /** Writes a picture; without a name the hash of its content names it. */
    async add(tag: string, name: string | undefined, extension: string, body: Body): Promise<DrawnFile> {
      const sha256 = createHash('sha256').update(body).digest('hex')
      const file = name ?? `${sha256.slice(0, 32)}${extension}`
      const drawn = { file, tag, sha256, bytes: body.length }
      await write(file, body).catch(fail(join(directory, file)))
      await journal.appendFile(`${JSON.stringify(drawn)}\n`).catch(fail(journalPath))
      return drawn
    },
    /** Writes the manifest, after which nothing is unfinished. */
    async finish(manifest: unknown): Promise<void> {
      const text = `${JSON.stringify(manifest, null, 2)}\n`
      await write(manifestName, text).catch(fail(join(directory, manifestName)))
      await journal.close()
      await rm(unfinished, { recursive: true })
    },
    close: () => journal.close(),
  }
}

/** Returns what throws an Error that names the file. */
function fail(path: string) {
  return (error: Error): never => {
    throw new Error(`${path} cannot be written: ${reasonOf(error)}`, { cause: error })
  }
}

async function hashOf(path: string): Promise<string | undefined> {
  const sum = createHash('sha256')
  try {
    await pipeline(createReadStream(path), sum)
  } catch {
    return undefined
  }
  return sum.digest('hex')
}

async function readManifest(directory: string): Promise<readonly DrawnFile[]> {
  const manifest = parseJson(await readText(join(directory, manifestName)))
  const files = isJsonObject(manifest) ? manifest['files'] : undefined
  return Array.isArray(files) ? files.filter(isDrawnFile) : []
}

/** A line that was torn by the end of its run is left out. */
async function readJournal(path: string): Promise<readonly DrawnFile[]> {
  return (await readText(path)).split('\n').map(parseJson).filter(isDrawnFile)
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

function isDrawnFile(value: unknown): value is DrawnFile {
  return isJsonObject(value) && ['file', 'tag', 'sha256'].every((name) => typeof value[name] === 'string')
}
