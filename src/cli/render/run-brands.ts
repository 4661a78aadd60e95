import { hash } from 'node:crypto'
import { join } from 'node:path'
import {
  type CardBrand,
  type CardBrands,
  noBrands,
  type ResolvedBrand,
} from '../../assets/og/brand/card-brand.ts'
import type { ThemeSource } from '../../assets/og/themes.ts'
import { draftBrand } from '../../brands/brand-directory.ts'
import { checkForm, createUploadReaders, importLimits, importReaders } from '../../brands/check-form.ts'
import type { PictureDrawer } from '../../raster/picture-process/picture-drawer.ts'
import { brandFolder, fixedBrand, folderError, readBrandFolder } from '../brands/brand-folder.ts'
import type { RowValue } from '../rows/read-rows.ts'
import type { Environment } from '../runtime.ts'

interface OpenBrands {
  readonly brands: CardBrands
  readonly slug?: string
  close(): void
}

/** The brands that a run may name. The database is opened only where one of it is named. */
export async function openBrands(
  brand: RowValue | undefined,
  isNamed: boolean,
  env: Environment,
  pictures: PictureDrawer,
): Promise<OpenBrands> {
  const folder = brandFolder(brand)
  if (folder !== undefined) return { ...(await readFolderBrand(folder, pictures)), close: () => {} }
  if (!isNamed) return { brands: noBrands, close: () => {} }
  const { openStoredBrands } = await import('../installation.ts')
  return await openStoredBrands(env)
}

export type DerivedBrands = ReturnType<typeof createDerivedBrands>

interface Derivation {
  readonly from: string | undefined
  change(brand: CardBrand): CardBrand | Promise<CardBrand>
}

/** The brands of a run, and those that it makes of them: each has a name of its own, which follows from what it is made of. */
export function createDerivedBrands(brands: CardBrands) {
  const derivations = new Map<string, Derivation>()

  function resolve(reference: string): ResolvedBrand | string {
    const derivation = derivations.get(reference)
    if (derivation === undefined) return brands.resolve(reference)
    const from = derivation.from === undefined ? undefined : resolve(derivation.from)
    return typeof from === 'string' ? from : fixedBrand(reference, `${reference} ${from?.key ?? ''}`)
  }

  async function load(reference: string): Promise<CardBrand> {
    const { from, change } = derivations.get(reference) ?? {}
    if (change === undefined) return brands.load(reference)
    const resolved = from === undefined ? undefined : resolve(from)
    if (typeof resolved === 'string') throw new Error(`The brand ${from} ${resolved}.`)
    const brand = resolved === undefined ? { key: '' } : await load(resolved.reference)
    return change({ ...brand, key: `${reference} ${brand.key}` })
  }

  function derive(from: string | undefined, content: string, change: Derivation['change']): string {
    const reference = `run-${hash('sha256', `${from ?? ''} ${content}`).slice(0, 32)}`
    derivations.set(reference, { from, change })
    return reference
  }

  return {
    resolve,
    load,
    derive,
    wear: (theme: ThemeSource, from?: string) =>
      derive(from, theme.key, (brand) => ({ ...brand, themeFile: theme })),
  }
}

async function readFolderBrand(folder: string, pictures: PictureDrawer) {
  const form = readBrandFolder(folder, importLimits)
  if ('mistakes' in form) throw new Error(form.mistakes.map((line) => join(folder, line)).join('\n'))
  const readers = importReaders(createUploadReaders(pictures), { jpegWithKey: async () => undefined })
  const { change, mistakes } = await checkForm(form, undefined, readers)
  if (mistakes.length > 0) throw folderError(folder, form, mistakes)
  const slug = form.texts.slug?.trim() ?? ''
  const brand = await draftBrand(change, undefined, {
    file: () => Promise.reject(new Error('A new brand keeps no file.')),
  })
  const brands: CardBrands = {
    resolve: (given) =>
      given === slug ? fixedBrand(slug, brand.key) : `must be ${slug}, the brand in ${folder}`,
    load: async () => brand,
  }
  return { slug, brands }
}
