/** @jsxImportSource #jsx */
import { isKeyId } from '../../src/access/keys.ts'
import { formatTime } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyNames } from '../data/key-names.ts'
import type { RecentRequest } from '../data/recent-requests.ts'
import { credentialOf, outcomeOf, type RequestOutcome } from '../data/request-kinds.ts'
import { networkLabel } from '../data/share-days.ts'
import { pill, type Tone } from './pill.tsx'
import { type Column, tableRow } from './table.tsx'

const tones: Readonly<Record<RequestOutcome, Tone>> = {
  Served: 'ok',
  Unpaid: 'plain',
  Refused: 'plain',
  Failed: 'bad',
}

const shownPathMax = 100

/** Columns of the list of requests. The path opens the details of its row. */
export function requestColumns(names: Pick<KeyNames, 'nameOf'>): readonly Column<RecentRequest>[] {
  return [
    { head: 'Time, UTC', class: 'muted', cell: ({ atMs }) => formatTime(atMs).slice(11) },
    { head: 'Request', class: 'c-main', cell: (request) => details(request, names) },
    {
      head: 'Status',
      class: 'c-side',
      cell: ({ status }) => pill(`${status} ${outcomeOf({ status })}`, tones[outcomeOf({ status })]),
    },
    { head: 'Key', class: 'c-key', cell: (request) => keyOrCredential(request, names) },
    { head: 'ms', class: 'right num', cell: ({ durationMs }) => durationMs.toFixed(1) },
  ]
}

export function requestRow(names: Pick<KeyNames, 'nameOf'>, request: RecentRequest): Markup {
  return tableRow(requestColumns(names), request)
}

function details(request: RecentRequest, names: Pick<KeyNames, 'nameOf'>): Markup {
  const { id, method, path, atMs, asset, auth, keyId, durationMs, agent } = request
  const rows: readonly (readonly [string, Child])[] = [
    ['Request id', <code>{id}</code>],
    ['Time', `${formatTime(atMs)} UTC`],
    ['Path', <code>{path}</code>],
    ['Asset', asset || 'None'],
    ['Granted by', auth === '' ? 'Nothing needed, or nothing granted' : credentialOf({ auth })],
    ['Key', keyId === '' ? 'None' : keyLink(keyId, names)],
    ['Duration', `${durationMs.toFixed(2)} ms`],
    ['Program', agent === '' ? 'Not named' : networkLabel(agent)],
  ]
  return (
    <details class="row">
      <summary class="mono">{`${method} ${path.slice(0, shownPathMax)}`}</summary>
      <dl class="facts small">
        {rows.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function keyOrCredential({ keyId, auth }: RecentRequest, names: Pick<KeyNames, 'nameOf'>): Child {
  if (keyId !== '') return keyLink(keyId, names)
  return auth === '' ? '' : credentialOf({ auth })
}

/** A refused request may name a key that is none. */
function keyLink(keyId: string, names: Pick<KeyNames, 'nameOf'>): Child {
  if (!isKeyId(keyId)) return <code>{keyId}</code>
  return (
    <a href={`/admin/keys/${keyId}`} dir="auto">
      {names.nameOf(keyId)}
    </a>
  )
}
