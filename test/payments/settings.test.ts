import { expect, test } from 'bun:test'
import { readConfig } from '../../src/config.ts'
import { SettingsError } from '../../src/lib/settings.ts'
import { readPaymentSettings } from '../../src/payments/payment-settings.ts'

const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const mistyped = '0x52908400098527886E0F7030069857D2E4169Ee7'
const upper = `0x${checksummed.slice(2).toUpperCase()}`

const token = {
  X402_ASSET_NAME: 'Token',
  X402_ASSET_VERSION: '1',
  X402_RPC_URLS: 'http://127.0.0.1:8545',
}
function read(env: Record<string, string>) {
  return readPaymentSettings(
    readConfig({ ...token, ...env }, () => {
      throw new Error('no such file')
    }),
  )
}

test.each([checksummed, checksummed.toLowerCase(), upper])('the address %s is taken', (address) => {
  const settings = read({ X402_PAY_TO: address, X402_ASSET: address })
  expect([settings?.payTo, settings?.asset.address] as string[]).toEqual([checksummed, checksummed])
})

test.each(['X402_PAY_TO', 'X402_ASSET'])('%s with a wrong checksum stops the start', (name) => {
  function start() {
    return read({ X402_PAY_TO: checksummed, X402_ASSET: checksummed, [name]: mistyped })
  }
  expect(start).toThrow(SettingsError)
  expect(start).toThrow(`${name} has a wrong EIP-55 checksum`)
})
