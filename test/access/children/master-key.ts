/** Loads the master key of a directory and prints it. */
import process from 'node:process'
import { loadMasterKey } from '../../../src/access/secrets.ts'

const [directory = ''] = process.argv.slice(2)
console.log(Buffer.from(loadMasterKey(directory)).toString('hex'))
