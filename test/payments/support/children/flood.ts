import { randomBytes } from 'node:crypto'
import { freshPath, payWith, verdictOf } from '../pay.ts'

/** Offers so many hashes that nobody knows, all at once, and prints what each was answered. */
const [url = '', count = '0'] = process.argv.slice(2)
const hashes = Array.from({ length: Number(count) }, () => `0x${randomBytes(32).toString('hex')}`)
const verdicts = await Promise.all(
  hashes.map(async (hash) => verdictOf(await payWith(`${url}${freshPath()}`, hash))),
)
process.stdout.write(JSON.stringify(verdicts))
