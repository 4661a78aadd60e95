import { hash } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../../errors.ts'
import type { Body } from '../../lib/body.ts'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { version } from '../../lib/version.ts'
import { formatOfFileName } from '../../raster/picture-formats.ts'
import { refuseLinks, textIfReadable } from '../read-text.ts'
import { InputError, mistakeAt, parameterMistake, type RowRequest } from '../rows/read-rows.ts'
import { forEachAtOnce } from '../run-program.ts'
import type { Drawer } from './drawer.ts'

interface RenderDeps {
  readonly files: readonly PlannedFile[]
  readonly directory: string
  readonly draw: Drawer['draw']
  readonly atOnce: number
  readonly stop: AbortSignal
  readonly onDone: () => void
}

/** Draws every file that is not there yet, and writes the manifest last. What was drawn before an error stays. */
export async function renderFiles({ files, directory, draw, atOnce, stop, onDone }: RenderDeps) {
  const drawnFiles = await openDrawnFiles(directory)
  const results = new Array<DrawnFile | undefined>(files.length).fill(undefined)
  let drawn = 0
  try {
    await forEachAtOnce(
      files,
      atOnce,
      async (planned, index) => {
        const earlier = await drawnFiles.find(planned.parsed.tag, planned.name)
        results[index] = earlier ?? (await drawFile(planned, draw, drawnFiles))
        if (earlier === undefined) drawn += 1
        onDone()
      },
      stop,
    )
    if (!stop.aborted) await drawnFiles.finish(manifestOf(files, results))
  } finally {
    await drawnFiles.close()
  }
  return { drawn, kept: results.filter((result) => result !== undefined).length - drawn }
}

async function drawFile(
  { row, parsed, name, extension }: PlannedFile,
  draw: Drawer['draw'],
  drawnFiles: DrawnFiles,
): Promise<DrawnFile> {
  let body: Body
  try {
    body = await draw(parsed)
  } catch (error) {
    if (!(error instanceof Problem) || error.errors.length === 0) throw error
    throw new InputError(error.errors.map((each) => parameterMistake(row, each)))
  }
  return drawnFiles.add(parsed.tag, name, extension, body)
}

function manifestOf(files: readonly PlannedFile[], results: readonly (DrawnFile | undefined)[]): unknown {
  return {
    version,
    files: files.map(({ row, asset }, index) => ({
      line: row.line,
      kind: asset.id,
      ...results[index],
      row: Object.fromEntries(row.fields),
    })),
  }
}

interface PlannedFile extends RowRequest {
  /** Undefined where the hash of its content names it. */
  readonly name: string | undefined
  readonly extension: string
}

const manifestName = 'manifest.json'

const nameBytesMax = 255

export function nameColumns(template = ''): ReadonlySet<string> {
  return new Set(Array.from(template.matchAll(placeholder), ([, column = '']) => column))
}

const placeholder = /\{([^{}]*)\}/g

export function planFiles(requests: readonly RowRequest[], template: string | undefined) {
  const mistakes: string[] = []
  const lines = new Map<string, number>()
  function refuse(row: RowRequest['row'], name: string, why: string): void {
    mistakes.push(mistakeAt(row, `--name ${JSON.stringify(name)} ${why}`))
  }
  const files = requests.map((request): PlannedFile => {
    const extension = extensionOf(request)
    if (template === undefined) return { ...request, name: undefined, extension }
    const filled = fill(template, request)
    const hasExtension = formatOfFileName(filled) !== undefined || /\.json$/i.test(filled)
    const name = hasExtension ? filled : filled + extension
    const earlier = lines.get(name)
    const mistake =
      mistakeIn(name, extension) ?? (earlier === undefined ? undefined : `is the name of line ${earlier} too`)
    if (mistake !== undefined) refuse(request.row, name, mistake)
    else lines.set(name, request.row.line)
    return { ...request, name, extension }
  })
  for (const { name = '', row } of files) {
    const folder = parentsOf(name).find((parent) => lines.has(parent))
    if (folder !== undefined) refuse(row, name, `needs a folder where line ${lines.get(folder)} has a file`)
  }
  if (mistakes.length > 0) throw new InputError(mistakes)
  return files
}

/** The name that the server gives the file has the right extension, and a slug of the title. */
function servedName({ parsed: { producer, query } }: RowRequest): string {
  return 'describe' in producer ? producer.describe(query).filename : ''
}

function extensionOf(request: RowRequest): string {
  return /\.\w+$/.exec(servedName(request))?.[0] ?? ''
}

function fill(template: string, request: RowRequest): string {
  return template.replaceAll(placeholder, (_, column: string) => {
    const value = request.row.fields.get(column)
    if (value !== undefined) return [value].flat().join(' ').normalize('NFC')
    if (column === 'slug') return servedName(request).slice(0, -extensionOf(request).length)
    if (column === 'line') return String(request.row.line)
    throw new InputError([mistakeAt(request.row, `has no ${column}, which --name needs`)])
  })
}

function mistakeIn(name: string, extension: string): string | undefined {
  const parts = name.split('/')
  const [format, drawn] = [formatOfFileName(name), formatOfFileName(extension)]
  if (
    format === undefined || drawn === undefined ? !name.toLowerCase().endsWith(extension) : format !== drawn
  )
    return `must end with ${extension}, the format that is drawn`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file name may have them
  if (/[\u0000-\u001f\u007f\\]/.test(name)) return 'must have no control characters and no backslash'
  if (parts.some((part) => part === '' || part.startsWith('.')))
    return 'must stay in the directory: no part may be empty or begin with a dot'
  if (parts.some((part) => Buffer.byteLength(part) > nameBytesMax))
    return `is longer than ${nameBytesMax} bytes`
  if (name.length > 1024) return 'is longer than 1024 characters'
  return name.toLowerCase() === manifestName ? 'is the name of the manifest' : undefined
}

function parentsOf(name: string): readonly string[] {
  const parts = name.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

interface DrawnFile {
  readonly file: string
  /** The call that it was drawn for: equal tags mean equal bytes. */
  readonly tag: string
  readonly sha256: string
  readonly bytes: number
}

const unfinishedName = '.unfinished'

type DrawnFiles = Awaited<ReturnType<typeof openDrawnFiles>>

/** A file in the directory appears whole or not at all. A journal notes each, so a killed run goes on where it was. */
async function openDrawnFiles(directory: string) {
  const unfinished = join(directory, unfinishedName)
  const journalPath = join(unfinished, 'journal.jsonl')
  await mkdir(unfinished, { recursive: true }).catch(fail(directory))
  refuseLinks(directory, journalPath)
  // A line of the journal that was torn by the end of its run is left out.
  const journaled = textIfReadable(journalPath).split('\n').map(parseJson).filter(isDrawnFile)
  const earlier = [...readManifest(directory), ...journaled]
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
    async find(tag: string, name: string | undefined): Promise<DrawnFile | undefined> {
      const drawn = name === undefined ? byTag.get(tag) : byFile.get(name)
      if (drawn?.tag !== tag) return undefined
      const bytes = await readFile(join(directory, drawn.file)).catch(() => undefined)
      return bytes !== undefined && hash('sha256', bytes) === drawn.sha256 ? drawn : undefined
    },
    async add(tag: string, name: string | undefined, extension: string, body: Body): Promise<DrawnFile> {
      const sha256 = hash('sha256', body)
      const file = name ?? `${sha256.slice(0, 32)}${extension}`
      const drawn = { file, tag, sha256, bytes: body.length }
      await write(file, body).catch(fail(join(directory, file)))
      await journal.appendFile(`${JSON.stringify(drawn)}\n`).catch(fail(journalPath))
      return drawn
    },
    async finish(manifest: unknown): Promise<void> {
      const text = `${JSON.stringify(manifest, null, 2)}\n`
      await write(manifestName, text).catch(fail(join(directory, manifestName)))
      await rm(unfinished, { recursive: true })
    },
    close: () => journal.close(),
  }
}

function fail(path: string) {
  return (error: Error): never => {
    throw new Error(`${path} cannot be written: ${reasonOf(error)}`, { cause: error })
  }
}

function readManifest(directory: string): readonly DrawnFile[] {
  const manifest = parseJson(textIfReadable(join(directory, manifestName)))
  const files = isJsonObject(manifest) ? manifest['files'] : undefined
  return Array.isArray(files) ? files.filter(isDrawnFile) : []
}

function isDrawnFile(value: unknown): value is DrawnFile {
  return isJsonObject(value) && ['file', 'tag', 'sha256'].every((name) => typeof value[name] === 'string')
}
