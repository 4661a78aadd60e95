import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { packageFile } from '../lib/package-files.ts'

/** One file of one package that the engine may load. Files of one package in one group are parts of one face. */
export interface FontFile {
  readonly packageName: string
  readonly file: string
  /** The face's file for bold weights, where it is not variable. */
  readonly bold?: FontFile
}

export const harfbuzzFile: FontFile = { packageName: 'harfbuzzjs', file: 'dist/harfbuzz.wasm' }
export const emojiFile: FontFile = { packageName: '@iconify-json/twemoji', file: 'icons.json' }

export function readFontFileSync({ packageName, file }: FontFile): Uint8Array {
  return readFileSync(packageFile(packageName, file))
}

export async function readFontFile({ packageName, file }: FontFile): Promise<Uint8Array> {
  return readFile(packageFile(packageName, file))
}

/** Fills `bytes` with a part of a file; returns what there was, where the file ends before. */
export function readFontRangeSync(
  { packageName, file }: FontFile,
  start: number,
  bytes: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const descriptor = openSync(packageFile(packageName, file), 'r')
  try {
    let length = 0
    for (let read = 1; read > 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, start + length)
    }
    return bytes.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}

/** Languages that write compounds in one word, whose patterns are on the disk. */
export const hyphenationFiles: Readonly<Record<string, FontFile>> = Object.fromEntries(
  ['de-1996', 'nl', 'da', 'sv', 'fi', 'hu'].map((name) => [
    name.slice(0, 2),
    { packageName: 'hyphen', file: `patterns/${name}.js` },
  ]),
)
