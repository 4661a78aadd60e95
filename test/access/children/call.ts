/** Sends the same call many times at once and prints what became of each. */
import process from 'node:process'
import { createHouse, outcome } from '../house.ts'

const [path = '', url = '', calls = ''] = process.argv.slice(2)
const house = createHouse({ path })
const answers = await Promise.all(Array.from({ length: Number(calls) }, () => house.call(url)))
house.store.close()
console.log(answers.map(outcome).join('\n'))
