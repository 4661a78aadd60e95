import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { notOnPostgres, postgresRooms, quickForms, slowFiles } from './support/test-plan.ts'

const files = [...new Glob('test/**/*.test.{ts,tsx}').scanSync('.')]

test('every file that the plan names is there', () => {
  const named = [slowFiles, quickForms, notOnPostgres].flatMap((table) => Object.keys(table))
  expect(named.filter((file) => !files.includes(file))).toEqual([])
})

test('no file is both left out of the quick run and in it by a quick form', () => {
  expect(Object.keys(quickForms).filter((file) => file in slowFiles)).toEqual([])
})

test('the files with a quick form are those that ask for the size of the run', () => {
  const asking = files.filter((file) =>
    /support\/(?:test-size|on-both)\.ts'/.test(readFileSync(file, 'utf8')),
  )
  expect(asking.toSorted()).toEqual(Object.keys(quickForms).toSorted())
})

test('files are left out over PostgreSQL only of rooms that run over it', () => {
  const others = Object.keys(notOnPostgres).filter(
    (file) => !postgresRooms.some((room) => file.startsWith(`${room}/`)),
  )
  expect(others).toEqual([])
})

test('every room with slow files has files in the quick run too', () => {
  const rooms = new Set(Object.keys(slowFiles).map(roomOf))
  const quick = new Set(files.filter((file) => !(file in slowFiles)).map(roomOf))
  // The faults of `bench/faults` start the program and break it, one after the other; nothing of it is quick.
  expect([...rooms].filter((room) => !quick.has(room))).toEqual(['test/faults'])
})

function roomOf(file: string): string {
  return file
    .split('/')
    .slice(0, 2)
    .join('/')
    .replace(/^test\/[^/]+\.test\.tsx?$/, 'test')
}
