import { formatOfFileName } from '../../raster/picture-formats.ts'
import { InputError, mistakeAt } from '../rows/read-rows.ts'
import type { RowRequest } from '../rows/row-request.ts'

/** A picture to draw. */
export interface PlannedFile extends RowRequest {
  /** Its path below the directory of output; undefined where the hash of its content names it. */
  readonly name: string | undefined
  /** The end of its name, with the dot. */
  readonly extension: string
}

/** The file that a run writes last. */
export const manifestName = 'manifest.json'

/** File systems take no longer names. */
const nameBytesMax = 255

/** Columns that a template names. */
export function nameColumns(template = ''): ReadonlySet<string> {
  return new Set(Array.from(template.matchAll(placeholder), ([, column = '']) => column))
}

const placeholder = /\{([^{}]*)\}/g

/** Names the picture of every row. Throws an `InputError` that names every row with a name that no file may have. */
export function planFiles(
  requests: readonly RowRequest[],
  template: string | undefined,
): readonly PlannedFile[] {
  const mistakes: string[] = []
  const lines = new Map<string, number>()
  const files = requests.map((request): PlannedFile => {
    const extension = extensionOf(request)
    if (template === undefined) return { ...request, name: undefined, extension }
    const name = withExtension(fill(template, request), extension)
    const earlier = lines.get(name)
    const mistake =
      mistakeIn(name, extension) ?? (earlier === undefined ? undefined : `is the name of line ${earlier} too`)
    if (mistake !== undefined)
      mistakes.push(mistakeAt(request.row, `--name ${JSON.stringify(name)} ${mistake}`))
    else lines.set(name, request.row.line)
    return { ...request, name, extension }
  })
  for (const { name = '', row } of files) {
    const folder = parentsOf(name).find((parent) => lines.has(parent))
    if (folder !== undefined)
      mistakes.push(
        mistakeAt(
          row,
          `--name ${JSON.stringify(name)} needs a folder where line ${lines.get(folder)} has a file`,
        ),
      )
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

/** Adds the extension to a name that ends with none of a picture. */
function withExtension(name: string, extension: string): string {
  return formatOfFileName(name) === undefined && !/\.json$/i.test(name) ? name + extension : name
}

/** Returns why no file may have the name; undefined if it may. */
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
