/** Meets a lock of another connection in each way that can be provoked, and prints what kinds of errors these are. */
import process from 'node:process'
import { openSqlite } from '../../../src/store/sqlite.ts'
import { findStoreError } from '../../../src/store/store-error.ts'

const [path = ''] = process.argv.slice(2)
const lockOwner = openSqlite(path)
lockOwner.exec('create table things (name text)')
const other = openSqlite(path)
other.reportLocksAtOnce()
const add = other.prepare('insert into things values (?)')

function kindOf(work: () => void): string {
  try {
    work()
    return 'done'
  } catch (error) {
    return findStoreError(error)?.kind ?? String(error)
  }
}

const kinds = lockOwner.transaction(() => [
  kindOf(() => other.transaction(() => add.run('a'))),
  kindOf(() => add.run('b')),
  kindOf(() => other.exec("insert into things values ('c')")),
  kindOf(() => other.prepare('select * from things').all()),
])
console.log(JSON.stringify([...kinds, kindOf(() => other.transaction(() => add.run('d')))]))
other.close()
lockOwner.close()
