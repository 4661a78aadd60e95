import { LRUCache } from 'lru-cache'
import { invalidQuery } from '../../../errors.ts'
import { throwUndrawn } from '../../picture-files.ts'
import type { CardLogo } from '../brand/card-logo.ts'
import { logoInUrl } from '../brand/logo-rules.ts'
import type { LogoDeps } from '../brand/read-logo.ts'
import { UploadRefused } from '../brand/upload-refused.ts'
import { isLogoData, logoBytes } from './logo-data.ts'

/**
 * Returns what reads the logo that a query carries as a picture; undefined for the name of an icon. The latest ones are
 * kept. Rejects with a `Problem` that names `logo` when it cannot be drawn.
 */
export function createOwnLogoReader(pictures: LogoDeps['pictures']) {
  const kept = new LRUCache<string, CardLogo>({
    maxSize: 2 * 2 ** 20,
    sizeCalculation: (logo, key) =>
      2 * key.length + (logo.kind === 'pixels' ? logo.png.length : 4 * key.length) + 500,
  })
  return async (logo: string | undefined, client: string): Promise<CardLogo | undefined> => {
    if (logo === undefined || !isLogoData(logo)) return undefined
    const known = kept.get(logo)
    if (known !== undefined) return known
    const { readLogo } = await import('../brand/read-logo.ts')
    const read = await readLogo(logoBytes(logo), logoInUrl, { pictures, client }).catch(problemOf)
    kept.set(logo, read)
    return read
  }
}

function problemOf(error: unknown): never {
  if (error instanceof UploadRefused) throw invalidQuery([{ parameter: 'logo', message: error.message }])
  return throwUndrawn(error)
}
