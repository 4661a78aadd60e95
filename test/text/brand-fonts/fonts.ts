import { readFile } from 'node:fs/promises'
import { type FontTables, readTables, viewOf, writeFont } from '../../../src/text/brand-fonts/sfnt.ts'
import { unpackFont, woff2Ready } from '../../../src/text/woff2.ts'
import cases from './fonts.json' with { type: 'json' }

await woff2Ready

const packages = new URL('../../../node_modules/', import.meta.url)

/** Real fonts under the OFL, or as free, that are installed for other reasons. */
export const fontFiles = cases.fontFiles

export function fontFile(name: keyof typeof fontFiles): Promise<Uint8Array> {
  return readFile(new URL(fontFiles[name], packages))
}

/** The font as a plain file: the TTF inside a WOFF2. */
export async function plainFont(name: keyof typeof fontFiles): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(unpackFont(await fontFile(name)))
}

/** A font with some of its tables changed: `change` gets a copy to write to, and may return another in its place. */
export function withTables(
  font: Uint8Array,
  changes: Readonly<Record<string, (table: DataView) => unknown>>,
): Uint8Array<ArrayBuffer> {
  const tables = new Map<string, DataView>(readTables(font))
  for (const [tag, change] of Object.entries(changes)) {
    const old = tables.get(tag) ?? new DataView(new ArrayBuffer(0))
    const copy = viewOf(Uint8Array.from(new Uint8Array(old.buffer, old.byteOffset, old.byteLength)))
    const changed = change(copy)
    tables.set(tag, changed instanceof DataView ? changed : copy)
  }
  return writeFont(viewOf(font).getUint32(0), tables as FontTables)
}

export function withoutTable(font: Uint8Array, tag: string): Uint8Array<ArrayBuffer> {
  const tables = new Map(readTables(font))
  tables.delete(tag)
  return writeFont(viewOf(font).getUint32(0), tables)
}
