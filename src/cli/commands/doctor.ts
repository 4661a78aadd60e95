import { Command } from 'commander'
import type { Config } from '../../config.ts'
import { SettingsError } from '../../lib/settings.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import {
  bad,
  checkAddress,
  checkAlerts,
  checkDatabase,
  checkDisk,
  checkFolder,
  checkFonts,
  checkPayments,
  checkProxy,
  type Finding,
  ok,
} from '../doctor/checks.ts'
import { readStartConfig } from '../read-start-config.ts'
import { readText } from '../read-text.ts'
import type { Environment } from '../runtime.ts'

const checks: readonly (readonly [name: string, check: (config: Config) => Finding | Promise<Finding>])[] = [
  ['folder', checkFolder],
  ['disk', checkDisk],
  ['database', checkDatabase],
  ['fonts', checkFonts],
  ['payments', checkPayments],
  ['address', checkAddress],
  ['proxy', checkProxy],
]

const signs = { ok: 'ok     ', warning: 'warning', bad: 'bad    ' } as const

/** `doctor`: says in a line each whether what a server needs is there. It changes nothing, and ends with 1 if not. */
export function doctorCommand(
  env: Environment,
  print: (text: string) => void,
  end: (exitCode: number) => void,
): Command {
  function say(name: string, { state, text }: Finding): void {
    print(`${signs[state]}  ${name.padEnd(8)}  ${text}`)
    if (state === 'bad') end(1)
  }
  return new Command('doctor')
    .description('say whether settings, disk, database, fonts, RPC, proxy and alerts are right')
    .option('--alert', 'exit 1 without ALERT_WEBHOOK_URL, which is sent a test alert')
    .option('--no-alert', 'send no test alert')
    .addHelpText(
      'after',
      '\nIt reads the settings that a server would start with, and changes nothing. Exit 1\nif a server could not serve, or if the test alert did not arrive.',
    )
    .action(async ({ alert }: { readonly alert?: boolean }) => {
      const config = await settingsOf(env, say)
      if (config === undefined) return
      for (const [name, check] of checks) say(name, await found(() => check(config)))
      say('alerts', await found(() => checkAlerts(config, alert)))
    })
}

async function settingsOf(
  env: Environment,
  say: (name: string, finding: Finding) => void,
): Promise<Config | undefined> {
  try {
    const config = await readStartConfig(env, readText)
    say('settings', ok('valid'))
    return config
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    for (const mistake of error.mistakes) say('settings', bad(mistake))
    return undefined
  }
}

/** A check that fails in a way that it does not know is a finding, too: the others go on. */
async function found(check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    return bad(reasonOf(error))
  }
}
