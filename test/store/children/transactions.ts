/** Fails within transactions in every way that can be provoked, and prints what is left: nothing. */
import { openSqlite } from '../../../src/store/sqlite.ts'

const sqlite = openSqlite(':memory:')
sqlite.exec('create table things (name text primary key)')
const add = sqlite.prepare('insert into things values (?)')

function attempt(work: () => void): string {
  try {
    sqlite.transaction(work)
    return 'stored'
  } catch (error) {
    // An error of the file has SQLite's own message as its cause.
    const { cause = error } = error as Error
    return cause instanceof Error ? cause.message : String(cause)
  }
}

const answers = [
  attempt(() => {
    add.run('a')
    throw new Error('thrown')
  }),
  attempt(() => {
    add.run('b')
    add.run('b')
  }),
]
sqlite.exec('pragma max_page_count = 4')
answers.push(
  attempt(() => {
    for (let i = 0; ; i += 1) add.run(`${i} ${'x'.repeat(1_000)}`)
  }),
)
const left = sqlite.prepare('select name from things').all()
sqlite.exec('pragma max_page_count = 1000')
answers.push(attempt(() => void add.run('c')))
console.log(JSON.stringify({ answers, left }))
