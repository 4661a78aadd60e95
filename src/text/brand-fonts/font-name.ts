import { bytesOf, type FontTables } from './sfnt.ts'

const typographicFamily = 16
const family = 1
const lengthMax = 80

/** The family name in the font: in English if there is one, else in any language. */
export function familyName(tables: FontTables): string | undefined {
  const names = tables.get('name')
  if (names === undefined || names.byteLength < 6) return undefined
  const count = Math.min(names.getUint16(2), Math.floor((names.byteLength - 6) / 12))
  let best: { rank: number; name: string } | undefined
  for (let index = 0; index < count; index++) {
    const at = 6 + 12 * index
    const [platform, language, id] = [names.getUint16(at), names.getUint16(at + 4), names.getUint16(at + 6)]
    if (id !== typographicFamily && id !== family) continue
    const rank = (id === typographicFamily ? 4 : 0) + (platform === 3 ? 2 : 0) + (language === 0x409 ? 1 : 0)
    if (best !== undefined && best.rank >= rank) continue
    const start = names.getUint16(4) + names.getUint16(at + 10)
    const length = names.getUint16(at + 8)
    if (start + length > names.byteLength) continue
    const bytes = bytesOf(names).subarray(start, start + length)
    const name = clean(
      platform === 1 ? Buffer.from(bytes).toString('latin1') : new TextDecoder('utf-16be').decode(bytes),
    )
    if (name !== '') best = { rank, name }
  }
  return best?.name
}

function clean(name: string): string {
  return name
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, lengthMax)
}
