import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RowValue } from '../rows/row.ts'
import { brandJsonName } from './brand-json.ts'

/** The folder that `--brand` names; undefined for a slug. */
export function brandFolder(brand: RowValue | undefined): string | undefined {
  if (typeof brand !== 'string') return undefined
  return /[./\\]/.test(brand) || existsSync(join(brand, brandJsonName)) ? brand : undefined
}
