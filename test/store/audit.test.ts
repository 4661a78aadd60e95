import { expect, test } from 'bun:test'
import { openStore } from '../../src/store/open.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { temporaryDirectory } from './temporary-directory.ts'

test('the database itself refuses to change or remove what the operator did', async () => {
  const path = `${temporaryDirectory()}/audit.sqlite`
  const store = openStore({ path })
  await store.audit.add({
    atMs: 1,
    actor: 'a1b2',
    address: '127.0.0.1',
    action: 'key.revoke',
    subject: 'mk_x',
    detail: '',
  })
  const sqlite = openSqlite(path)
  expect(() => sqlite.exec("update audit_entries set action = 'key.create'")).toThrow('append-only')
  expect(() => sqlite.exec('delete from audit_entries')).toThrow('append-only')
  expect(await store.audit.page(Number.MAX_SAFE_INTEGER, 10)).toMatchObject([
    { action: 'key.revoke', subject: 'mk_x' },
  ])
  sqlite.close()
  await store.close()
})
