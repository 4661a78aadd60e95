import { FontRefused } from './font-refused.ts'
import type { FontTables } from './sfnt.ts'

const restricted = 0x0002
const allowing = 0x0004 | 0x0008
const bitmapsOnly = 0x0200

/**
 * Refuses a font whose licence bits (fsType of the table OS/2) do not allow its outlines in documents. Where a font sets
 * several bits the least restrictive counts. A card holds the outlines of its letters and no font, so what allows to view and
 * print a document is enough, and a font that must not be cut into parts is not cut.
 * @throws FontRefused
 */
export function checkEmbedding(tables: FontTables): void {
  const os2 = tables.get('OS/2')
  if (os2 === undefined || os2.byteLength < 10)
    throw new FontRefused(
      'does not say whether it may be embedded: it has no table "OS/2" with licence bits (fsType)',
    )
  const bits = os2.getUint16(8)
  if ((bits & restricted) !== 0 && (bits & allowing) === 0)
    throw new FontRefused('may not be embedded, says its licence (fsType)')
  if ((bits & bitmapsOnly) !== 0)
    throw new FontRefused('may be embedded as bitmaps only, says its licence (fsType)')
}
