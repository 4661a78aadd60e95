import { createHash } from 'node:crypto'
import type { CardBrand } from '../../../src/assets/og/brand/card-brand.ts'
import type { BrandForm } from '../../../src/brands/brand-form.ts'
import { createBrands } from '../../../src/brands/brands.ts'
import type { UploadReaders } from '../../../src/brands/check-form.ts'
import type { Store } from '../../../src/store/open.ts'
import { fontBytes } from '../../../src/text/brand-fonts/brand-font.ts'
import { openTestStore } from '../../support/test-store.ts'

/** Readers that keep what they are given: what makes uploads safe has tests of its own. A file that begins with `!` is refused. */
export const plainReaders: UploadReaders = {
  logo: async (bytes) =>
    refusal(bytes) ?? { kind: 'pixels', key: sha256(bytes), widthPx: 4, heightPx: 2, png: bytes },
  font: async (bytes) => refusal(bytes) ?? { key: sha256(bytes), bytes },
  theme: async (bytes) => refusal(bytes) ?? { key: sha256(bytes), json: '{}', bytes },
  picture: async (bytes) =>
    refusal(bytes) ?? {
      key: sha256(bytes),
      widthPx: 40,
      heightPx: 20,
      jpeg: bytes,
      grid: { columns: 1, rows: 1, cells: [{ min: 0.25, max: 0.5, mean: { r: 1, g: 2, b: 3 } }] },
    },
}

interface Options {
  readonly path?: string
  readonly now?: () => number
  /** An open store, such as that of another process. */
  readonly store?: Store
}

/** Brands over a store of their own. */
export async function temporaryBrands({ path = ':memory:', now = Date.now, store: given }: Options = {}) {
  const clock = { now }
  const store = given ?? (await openTestStore({ path, clock }))
  const brands = createBrands({ store, clock, readers: plainReaders })
  await brands.refresh()
  return { store, brands }
}

/** A form of text fields and files. */
export function form(
  texts: BrandForm['texts'],
  files: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {},
  remove: readonly string[] = [],
): BrandForm {
  const uploads = Object.entries(files).map(([field, bytes]) => [field, { name: `${field}.bin`, bytes }])
  return { texts, files: Object.fromEntries(uploads), remove }
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function refusal(bytes: Uint8Array) {
  return bytes[0] === 0x21 ? { refused: 'is not safe' } : undefined
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A brand with its fonts' bytes in the place of how they are read: two brands that look alike are equal. */
export async function withFontBytes({ titleFont, textFont, ...brand }: CardBrand) {
  return {
    ...brand,
    titleFont: titleFont && (await fontBytes(titleFont)),
    textFont: textFont && (await fontBytes(textFont)),
  }
}
