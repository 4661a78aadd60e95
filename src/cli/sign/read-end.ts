import { embedSecondsMax } from '../../access/signature-verifier.ts'

const daysMax = 3_652

/** Returns until when a URL is valid, in unix seconds; undefined if no option says so. Throws for what the server would refuse. */
export function readEnd(
  { days, exp }: { readonly days?: string; readonly exp?: string },
  nowSeconds: number,
): number | undefined {
  if (days !== undefined && exp !== undefined)
    throw new Error('--days and --exp say the same: give one of them.')
  if (exp !== undefined) return readExp(exp, nowSeconds)
  if (days === undefined) return undefined
  const count = Number(days)
  if (count > 0 && count <= daysMax) return Math.floor(nowSeconds + count * 86_400)
  throw new Error(`--days must be a number above 0, at most ${daysMax}.`)
}

function readExp(text: string, nowSeconds: number): number {
  const exp = Number(text)
  if (!/^\d{1,15}$/.test(text)) throw new Error('--exp must be a whole number of unix seconds.')
  if (exp < nowSeconds)
    throw new Error(`--exp ${text} lies in the past: it must be in unix seconds, ahead of now.`)
  if (exp > nowSeconds + embedSecondsMax)
    throw new Error(
      `--exp ${text} is more than ten years ahead: it must be in unix seconds, not milliseconds.`,
    )
  return exp
}
