import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../../lib/system-reason.ts'
import { type BrandJson, brandJsonName, parseBrandJson } from '../brands/brand-folder.ts'
import type { StoredBrands } from '../render/stored-brands.ts'
import type { Environment } from '../runtime.ts'

interface BrandRevisionsOptions {
  readonly env: Environment
  /** The id of the key that signs. */
  readonly key: string
  /** A folder as `brand export` writes one, which says what its own slug means. */
  readonly folder: string | undefined
}

/**
 * Puts the newest revision into addresses that name a brand: networks keep a picture by its address for weeks, so a new
 * look needs a new address. The database is opened only where a brand is named.
 */
export function createBrandRevisions({ env, key, folder }: BrandRevisionsOptions) {
  const { slug, revision } = folder === undefined ? {} : readBrandJson(folder)
  let opening: Promise<StoredBrands> | undefined

  /** Loaded apart: most runs name no brand, and the client has no database. */
  async function open(): Promise<StoredBrands> {
    const { openStoredBrands } = await import('../render/stored-brands.ts')
    return openStoredBrands(env)
  }

  return {
    /** The slug of the brand in the folder. */
    slug,
    /**
     * Returns `slug@revision`; the slug alone where neither folder nor database says the revision. Rejects with an Error
     * where the server would refuse the brand.
     */
    async of(reference: string): Promise<string> {
      if (reference === slug && revision) return `${slug}@${revision}`
      opening ??= open()
      const { brands, isThere } = await opening
      if (!isThere) return reference
      const resolved = brands.resolve(reference)
      if (typeof resolved === 'string') throw new Error(`--brand ${resolved}`)
      if (resolved.keyIds?.has(key) === false)
        throw new Error(`--brand ${reference} is not for the key ${key}`)
      return resolved.reference
    },
    async close(): Promise<void> {
      ;(await opening)?.close()
    },
  }
}

function readBrandJson(folder: string): BrandJson {
  const path = join(folder, brandJsonName)
  const parsed = parseBrandJson(readText(path))
  if ('length' in parsed) throw new Error(parsed.map((mistake) => `${path}: ${mistake}`).join('\n'))
  if (parsed.revision !== undefined && !/^[1-9]\d{0,8}$/.test(parsed.revision))
    throw new Error(`${path}: revision must be the number of a revision, not ${parsed.revision}`)
  return parsed
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`--brand ${path} cannot be read: ${reasonOf(error)}`, { cause: error })
  }
}
