/** Takes the write lock of a database, says so, and holds it until its input ends. */
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'

const [path = ''] = process.argv.slice(2)
const database = new DatabaseSync(path)
database.exec('pragma busy_timeout = 5000')
database.exec('begin immediate')
console.log('locked')
process.stdin.resume()
process.stdin.on('end', () => {
  database.exec('rollback')
  database.close()
})
