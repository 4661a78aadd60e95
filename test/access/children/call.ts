/** Sends the same call many times at once and prints what became of each. */
import process from 'node:process'
import { openAccess, outcome } from '../temporary-access.ts'

const [path = '', url = '', calls = ''] = process.argv.slice(2)
const access = await openAccess({ path })
const answers = await Promise.all(Array.from({ length: Number(calls) }, () => access.call(url)))
await access.store.close()
console.log(answers.map(outcome).join('\n'))
