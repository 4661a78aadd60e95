import { expect, test } from 'bun:test'
import { settings } from '../../src/config.ts'
import { misspeltSettings } from '../../src/lib/settings.ts'
import { startServer } from '../support/server.ts'

test.each([
  ['ADMIN_PASSWROD', 'ADMIN_PASSWORD'],
  ['ADMIN_PASSWROD_FILE', 'ADMIN_PASSWORD_FILE'],
  ['PUBLIC_KEY', 'PUBLIC_KEYS'],
  ['DATADIR', 'DATA_DIR'],
  ['data_dir', 'DATA_DIR'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['BASEURL', 'BASE_URL'],
  ['WORKER', 'WORKERS'],
  ['PROT', 'PORT'],
  ['KEY_DAYLY_QUOTA', 'KEY_DAILY_QUOTA'],
  ['X42_PAY_TO', 'X402_PAY_TO'],
  ['MINTMARK_PORT', 'PORT'],
  ['MINTMARK_KEY', undefined],
  ['MINTMARK_WORKER', undefined],
])('%s is taken for %s', (name, meant) => {
  const lines = misspeltSettings(settings, { [name]: 'x' })
  expect(lines).toEqual(
    meant === undefined ? [] : [`${name} is set, but is no setting. Did you mean ${meant}?`],
  )
})

test('settings, and what other programs keep in the environment, are no mistakes', () => {
  const others =
    'PATH HOME USER SHELL HOSTNAME LANG TERM PWD OLDPWD LOGNAME MAIL SHLVL TMPDIR NODE_ENV CI EDITOR PAGER XDG_DATA_DIRS XDG_DATA_HOME SSH_AUTH_SOCK HTTP_PROXY NO_PROXY KUBERNETES_PORT POSTGRES_PASSWORD INVOCATION_ID STATE_DIRECTORY CREDENTIALS_DIRECTORY LOGS_DIRECTORY DBUS_SESSION_BUS_ADDRESS'
  const names = [
    ...Object.keys(settings),
    ...Object.keys(settings).map((name) => `${name}_FILE`),
    ...others.split(' '),
  ]
  expect(misspeltSettings(settings, Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([])
  expect(misspeltSettings(settings, { ADMIN_PASSWROD: '' })).toEqual([])
})

test('a start warns of a misspelt setting on the terminal, and serves', async () => {
  const server = await startServer({ env: { ADMIN_PASSWROD: 'correct-horse' } })
  try {
    while (!server.complaints.join('').includes('Did you mean ADMIN_PASSWORD?')) await Bun.sleep(10)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  } finally {
    await server.stop()
  }
})
