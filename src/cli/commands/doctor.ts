import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { fingerprintName, readMasterKey } from '../../access/secrets.ts'
import type { Config } from '../../config.ts'
import { arrivalHeader } from '../../http/base-path.ts'
import { systemClock } from '../../lib/clock.ts'
import { packageFile } from '../../lib/package-files.ts'
import { SettingsError } from '../../lib/settings.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { createAlertSender, testAlertBody } from '../../operator/alerts.ts'
import { freeBytesNow, freeBytesSoon } from '../../operator/concerns.ts'
import { readSharedAddress, sharedAddressText } from '../../operator/shared-address.ts'
import { databaseLocation, modeOpenToOthers } from '../../store/database-location.ts'
import { openForReading } from '../../store/open-database.ts'
import type { ReadTables } from '../../store/tables.ts'
import { listFontFiles } from '../../text/coverage/lookup.ts'
import { commandOf } from '../parameter-options.ts'
import { readStartConfig } from '../read-start-config.ts'
import { readText } from '../read-text.ts'
import type { CommandContext } from '../runtime.ts'
import texts from './doctor.json' with { type: 'json' }

const checks: readonly (readonly [name: string, check: (config: Config) => Finding | Promise<Finding>])[] = [
  ['folder', checkFolder],
  ['disk', checkDisk],
  ['database', checkDatabase],
  ['fonts', checkFonts],
  ['payments', checkPayments],
  ['address', checkAddress],
  ['proxy', checkProxy],
]

/** A line for the operator: what was found, and what helps. Only with `bad` a server would not start, or not serve. */
type Finding = readonly [state: 'ok' | 'warning' | 'bad', text: string]

export function doctorCommand({ env, print, end }: CommandContext): Command {
  function say(name: string, [state, text]: Finding): void {
    print(`${state.padEnd(7)}  ${name.padEnd(8)}  ${text}`)
    if (state === 'bad') end(1)
  }
  return commandOf('doctor', texts).action(async ({ alert }: { readonly alert?: boolean }) => {
    const config = await readStartConfig(env, readText).catch((error: unknown) => {
      if (!(error instanceof SettingsError)) throw error
      for (const mistake of error.mistakes) say('settings', ['bad', mistake])
    })
    if (!config) return
    say('settings', ['ok', 'valid'])
    for (const [name, check] of checks) say(name, await found(() => check(config)))
    say('alerts', await found(() => checkAlerts(config, alert)))
  })
}

/** A check that fails in a way that it does not know is a finding, too: the others go on. */
async function found(check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    return ['bad', reasonOf(error)]
  }
}

function checkFolder({ DATA_DIR: folder }: Config): Finding {
  if (!existsSync(folder)) return ['ok', `${folder} is missing; the first start makes it`]
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    return ['bad', `${folder} cannot be written: ${reasonOf(error)}. Give this user the right to write there`]
  }
  const mode = modeOpenToOthers(folder)
  if (mode === undefined) return ['ok', `${folder} is this user's alone`]
  return ['warning', `${folder} has mode ${mode}, so others can read it: chmod 700 ${folder}`]
}

function checkDisk({ DATA_DIR: folder }: Config): Finding {
  const { bavail, bsize } = statfsSync(nearestExisting(resolve(folder)))
  const freeBytes = bavail * bsize
  const text = `${(freeBytes / 1e9).toFixed(1)} GB free`
  if (freeBytes < freeBytesNow)
    return ['bad', `${text}: make room, because no call can be counted on a full disk`]
  return freeBytes < freeBytesSoon ? ['warning', `${text}: a backup may not fit`] : ['ok', text]
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}

/** Reads the tables of the database for a check; undefined where its file is missing. */
async function withTables<T>(config: Config, work: (tables: ReadTables['tables']) => Promise<T>) {
  const location = databaseLocation(config)
  if (location.kind === 'sqlite' && !existsSync(location.path)) return undefined
  const { tables, close } = await openForReading(config, readText)
  try {
    return await work(tables)
  } finally {
    close()
  }
}

async function checkDatabase(config: Config): Promise<Finding> {
  const location = databaseLocation(config)
  const name = location.kind === 'sqlite' ? location.path : 'PostgreSQL'
  const read = async ({ keyValues }: ReadTables['tables']) => (await keyValues.get(fingerprintName)) ?? ''
  const fingerprint = await withTables(config, read)
  if (fingerprint === undefined) return ['ok', `${name} is missing; the first start makes it`]
  const hasKey = config.MASTER_KEY !== undefined || readMasterKey(config.DATA_DIR) !== undefined
  const missing = `master.key is missing in ${config.DATA_DIR}: put it back from your backup, or set MASTER_KEY`
  return fingerprint !== '' && !hasKey ? ['bad', missing] : ['ok', `${name} has the tables of this version`]
}

function checkFonts(): Finding {
  const files = listFontFiles()
  const missing = files.filter(({ packageName, file }) => !existsSync(packageFile(packageName, file)))
  const [first] = missing
  if (first === undefined) return ['ok', `${files.length} files of fonts and emoji`]
  const count = `${missing.length} of ${files.length} files are missing`
  return ['bad', `${count}, ${first.packageName}/${first.file} among them: bun install`]
}

async function checkPayments(config: Config): Promise<Finding> {
  if (config.X402_PAY_TO === undefined) return ['ok', 'off (X402_PAY_TO is not set)']
  const [{ readPaymentSettings }, { openChain }, { checkToken }] = await Promise.all([
    import('../../payments/payment-settings.ts'),
    import('../../payments/chain/chain.ts'),
    import('../../payments/chain/check-token.ts'),
  ])
  const settings = readPaymentSettings(config)
  const chain = settings && openChain(settings, systemClock)
  if (settings === undefined || chain === undefined)
    return ['warning', 'X402_RPC_URL is not set, so transfers cannot be checked']
  const { state, problems } = await checkToken(chain, settings)
  if (state === 'match') return ['ok', `${settings.asset.name} on ${settings.network}, to ${settings.payTo}`]
  return [state === 'unknown' ? 'warning' : 'bad', problems.join(' ')]
}

/** A server answers where callers ask: at BASE_URL, through whatever stands before it. */
async function checkAddress({ BASE_URL: baseUrl, PORT: port }: Config): Promise<Finding> {
  const origin = baseUrl ?? `http://localhost:${port}`
  const signal = AbortSignal.timeout(5_000)
  try {
    // biome-ignore lint/style/noRestrictedGlobals: the operator names this address, no caller can
    const answer = await fetch(`${origin}/healthz`, { redirect: 'manual', signal })
    const isOurs = answer.headers.has('x-request-id')
    const arrival = answer.headers.get(arrivalHeader)
    const how =
      arrival === null ? '' : `, and its path is ${arrival}${arrival === 'passed' ? ' on' : ''} by the proxy`
    if (answer.status === 200 && isOurs) return ['ok', `${origin} answers${how}`]
    return ['warning', `${origin} answers with ${answer.status}${isOurs ? '' : ', and not by this program'}`]
  } catch (error) {
    const why = error instanceof Error && error.name === 'TimeoutError' ? 'no answer in 5 s' : reasonOf(error)
    return baseUrl === undefined
      ? ['ok', `no server runs on port ${port}`]
      : ['warning', `${origin} cannot be reached from here: ${why}`]
  }
}

async function checkProxy(config: Config): Promise<Finding> {
  const { BASE_URL: baseUrl, TRUSTED_PROXIES: proxies } = config
  // A database that cannot be read is told elsewhere.
  const address = await withTables(config, ({ keyValues }) =>
    readSharedAddress(keyValues, systemClock.now()),
  ).catch(() => undefined)
  if (address !== undefined) return ['warning', `${sharedAddressText} (${address})`]
  if (baseUrl === undefined)
    return ['warning', 'BASE_URL is not set: any host is served, and links name the host of the request']
  if (proxies.length > 0) return ['ok', `X-Forwarded-For counts from ${proxies.length} networks`]
  return baseUrl.startsWith('https:')
    ? ['warning', untrusted]
    : ['ok', 'callers are known by their connection']
}

const untrusted =
  'BASE_URL is https, so a proxy stands before this server, and TRUSTED_PROXIES is empty: all callers count as one address'

/** A test alert arrives. @param asked true: a missing receiver is a fault; false: no test is sent */
async function checkAlerts(config: Config, asked: boolean | undefined): Promise<Finding> {
  const send = createAlertSender({ config, clock: systemClock, readFile: readText })
  const off = 'off (ALERT_WEBHOOK_URL is not set): nobody is told of a full disk or quota'
  if (send === undefined) return [asked === true ? 'bad' : 'ok', off]
  const isSigned = config.ALERT_WEBHOOK_SECRET !== undefined
  function fine(said: string): Finding {
    return isSigned ? ['ok', said] : ['warning', `${said} ${unsigned}`]
  }
  if (asked === false) return fine('on, and not tried.')
  const body = testAlertBody({ nowMs: systemClock.now(), baseUrl: config.BASE_URL })
  const { isDelivered, text } = await send(body)
  return isDelivered
    ? fine(`a test alert was sent. ${text}`)
    : ['bad', `the test alert did not arrive. ${text}`]
}

const unsigned = 'ALERT_WEBHOOK_SECRET is not set, so a receiver cannot tell alerts from anybody’s requests.'
