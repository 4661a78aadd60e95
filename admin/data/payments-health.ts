import type { AdminDeps } from '../deps.ts'
import type { Tone } from '../parts/pill.tsx'
import type { PaymentsReport } from './payments-monitor.ts'

export interface HealthLine {
  readonly name: string
  readonly tone: Tone
  readonly text: string
}

/** Enough for a settlement or two; below it the operator should fill up. */
const gasWeiMin = 10n ** 14n

const settleText: Readonly<Record<PaymentsReport['settle'], string>> = {
  self: 'on; signed payments are settled by this service',
  facilitator: 'on; signed payments are settled by the facilitator',
  off: 'on, for transfers only',
}

/** One line each about payments, the chain's endpoints and the settler. */
export async function paymentsHealth({
  paymentsMonitor: paymentsWatch,
  config,
}: AdminDeps): Promise<readonly HealthLine[]> {
  const report = await paymentsWatch.latest()
  if (report === undefined) return [{ name: 'Payments', tone: 'plain', text: 'off: no wallet is configured' }]
  if (report === 'pending')
    return [{ name: 'Payments', tone: 'warn', text: 'on; the chain has not answered yet' }]
  const endpoints = config.X402_RPC_URLS.length
  return [
    {
      name: 'Payments',
      tone: report.problems.length === 0 ? 'ok' : 'bad',
      text: report.problems.join(' ') || settleText[report.settle],
    },
    {
      name: 'Chain',
      tone: endpoints === 0 ? 'warn' : 'ok',
      text:
        endpoints === 0
          ? 'no endpoint is set'
          : `${config.X402_NETWORK}, ${endpoints} endpoint${endpoints === 1 ? '' : 's'}`,
    },
    settlerLine(report),
  ]
}

function settlerLine({ settlerAddress, settlerGasWei, settle }: PaymentsReport): HealthLine {
  if (settlerAddress === undefined)
    return {
      name: 'Settler',
      tone: 'plain',
      text: settle === 'facilitator' ? 'the facilitator pays gas' : 'none',
    }
  if (settlerGasWei === undefined) return { name: 'Settler', tone: 'bad', text: 'its balance cannot be read' }
  const ether = `${formatEther(settlerGasWei)} ETH for gas`
  return settlerGasWei < gasWeiMin
    ? { name: 'Settler', tone: 'bad', text: `${ether}: fill up ${settlerAddress}` }
    : { name: 'Settler', tone: 'ok', text: ether }
}

function formatEther(wei: bigint): string {
  return (Number(wei) / 1e18).toFixed(6)
}
