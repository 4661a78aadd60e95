import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type BrandForm,
  brandFileFields,
  brandTextFields,
  type UploadedFile,
} from '../../brands/brand-form.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import type { BrandFileField } from '../../store/brands.ts'
import { type BrandJson, brandJsonName, parseBrandJson } from './brand-json.ts'

const jsonBytesMax = 64 * 1024

/**
 * Reads a brand from a folder, or returns all mistakes as lines. The folder is the whole brand: anything missing from
 * it is dropped.
 */
export function readBrandFolder(
  folder: string,
  bytesMax: Readonly<Record<BrandFileField, number>>,
): BrandForm | { readonly mistakes: readonly string[] } {
  const json = readWithin(folder, brandJsonName, jsonBytesMax)
  if (typeof json === 'string') return { mistakes: [`${brandJsonName} ${json}`] }
  const parsed = parseBrandJson(new TextDecoder().decode(json))
  if (isList(parsed)) return { mistakes: parsed.map((mistake) => `${brandJsonName}: ${mistake}`) }
  const files: Partial<Record<BrandFileField, UploadedFile>> = {}
  const mistakes: string[] = []
  for (const field of brandFileFields) {
    const name = parsed[field]
    if (name === undefined || name === '') continue
    const bytes = readWithin(folder, name, bytesMax[field])
    if (typeof bytes === 'string')
      mistakes.push(`${brandJsonName}: ${field} ${JSON.stringify(name)} ${bytes}`)
    else files[field] = { name, bytes }
  }
  if (mistakes.length > 0) return { mistakes }
  return { texts: textsOf(parsed), files, remove: brandFileFields.filter((field) => !files[field]) }
}

function textsOf(json: BrandJson): BrandForm['texts'] {
  const texts = brandTextFields.map((field) => [field, json[field] ?? (field === 'access' ? undefined : '')])
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined))
}

function isList(parsed: BrandJson | readonly string[]): parsed is readonly string[] {
  return Array.isArray(parsed)
}

/** The bytes of a file in the folder itself, or why there are none, as the end of a sentence. */
function readWithin(folder: string, name: string, bytesMax: number): Uint8Array<ArrayBuffer> | string {
  // A path would lead to files that do not belong to the brand.
  if (/[/\\\0]/.test(name) || name === '.' || name === '..')
    return 'must be the name of a file in the folder, without a path'
  const path = join(folder, name)
  try {
    if (dirname(realpathSync(path)) !== realpathSync(folder))
      return 'must be a file in the folder, not a link out of it'
    return readFile(path, bytesMax)
  } catch (error) {
    return `cannot be read: ${reasonOf(error)}`
  }
}

function readFile(path: string, bytesMax: number): Uint8Array<ArrayBuffer> | string {
  // Opening a pipe that nobody writes to would never return.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return 'is no file'
    if (stats.size > bytesMax) return `must have at most ${bytesMax} bytes, not ${stats.size}`
    return new Uint8Array(readFileSync(descriptor))
  } finally {
    closeSync(descriptor)
  }
}
