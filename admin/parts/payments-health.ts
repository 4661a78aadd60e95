import type { Markup } from '../../src/lib/jsx/markup.ts'
import { settlerGasWeiMin } from '../../src/operator/concern.ts'
import type { PaymentsReport } from '../../src/operator/payments-monitor.ts'
import type { AdminDeps } from '../deps.ts'
import type { DescriptionRow } from './cards.tsx'
import { pill } from './pill.tsx'

const settleText: Readonly<Record<PaymentsReport['settle'], string>> = {
  self: 'On; signed payments are settled by this service',
  facilitator: 'On; signed payments are settled by the facilitator',
  off: 'On, for transfers only',
}

/** One row each about payments, the chain's endpoints and the settler. */
export async function paymentsHealth(deps: AdminDeps): Promise<readonly DescriptionRow[]> {
  const report = await deps.paymentsMonitor.latest()
  if (report === undefined) return [['Payments', pill('Off: no wallet is configured', 'plain')]]
  if (report === 'pending') return [['Payments', pill('On; the chain has not answered yet', 'warn')]]
  const { problems, settle } = report
  const { X402_RPC_URLS: urls, X402_NETWORK: network } = deps.config
  const endpoints = `${network}, ${urls.length} endpoint${urls.length === 1 ? '' : 's'}`
  return [
    ['Payments', problems.length === 0 ? pill(settleText[settle], 'ok') : pill(problems.join(' '), 'bad')],
    ['Chain', urls.length === 0 ? pill('No endpoint is set', 'warn') : pill(endpoints, 'ok')],
    ['Settler', settlerPill(report)],
  ]
}

function settlerPill({ settlerAddress, settlerGasWei, settle }: PaymentsReport): Markup {
  if (settlerAddress === undefined)
    return pill(settle === 'facilitator' ? 'The facilitator pays gas' : 'None', 'plain')
  if (settlerGasWei === undefined) return pill('Its balance cannot be read', 'bad')
  const ether = `${(Number(settlerGasWei) / 1e18).toFixed(6)} ETH for gas`
  return settlerGasWei < settlerGasWeiMin
    ? pill(`${ether}: fill up ${settlerAddress}`, 'bad')
    : pill(ether, 'ok')
}
