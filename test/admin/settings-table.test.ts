import { expect, test } from 'bun:test'
import { settingsCard } from '../../admin/settings/settings.tsx'
import { readConfig } from '../../src/config.ts'

test('the page of settings shows no secret', () => {
  const secrets = {
    ADMIN_PASSWORD: 'hunter2hunter2',
    METRICS_TOKEN: 'token-token-token',
    X402_SETTLER_KEY: `0x${'a1'.repeat(32)}`,
    MASTER_KEY: 'b2'.repeat(32),
    DATABASE_URL: 'postgres://user:pass@db/x',
  }
  const { html } = settingsCard(readConfig({ ...secrets, PORT: '4321' }, () => ''))
  expect(html).toContain('4321')
  for (const [name, secret] of Object.entries(secrets)) {
    expect(html).toContain(name)
    expect(html).not.toContain(secret)
  }
})
