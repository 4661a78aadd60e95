import type { FontFile } from '../coverage/lookup.ts'

/** The name of a face: a package may have an upright and an italic one. */
export function faceName({ packageName, file }: FontFile): string {
  return file.includes('italic') ? `${packageName} italic` : packageName
}
