import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { getDomain } from 'tldts'
import { addressBlock, type ClientBlock, clientBlocks } from '../lib/client-addresses.ts'
import { isWithin, minuteMs } from '../lib/clock.ts'
import { SharedWindow } from '../lib/rate-limit.ts'
import { FetchFailure } from './fetch-failure.ts'
import { operatorRequester, type Requester } from './requester.ts'

export interface TargetLimitOptions {
  /** Requests a minute of a whole server to one registrable domain; four times as many to one address. */
  readonly perMinute: number
  /** Each process of the server has an equal part. */
  readonly processes?: number | undefined
  readonly now: () => number
  /** Tells whether clients have addresses of their own. Called with each that waits for a read which nothing pays for. */
  readonly isDivided?: (client: string) => boolean
}

export type TargetLimit = ReturnType<typeof createTargetLimit>

/** Many sites share one address. */
const addressFactor = 4
const unpaidDocumentBytesMax = 1_048_576
const unpaidBytesPerMinute = 67_108_864
const targetsMax = 10_000

/**
 * A fifth of a target is for reads that nothing pays for, by client. The rest is for payments and keys, one key with at
 * most a quarter while others want it. The background fills half of either.
 */
export function createTargetLimit({
  perMinute,
  processes = 1,
  now,
  isDivided = () => true,
}: TargetLimitOptions) {
  const targets = new LRUCache<string, Target>({ max: targetsMax })
  let sweptAtMs = now()

  function sweep(nowMs: number): void {
    if (isWithin(sweptAtMs, nowMs, minuteMs)) return
    sweptAtMs = nowMs
    for (const [name, target] of [...targets]) if (target.isIdle(nowMs)) targets.delete(name)
  }

  function targetOf(name: string, requestsMax: number): Target {
    sweep(now())
    const known = targets.get(name)
    if (known !== undefined) return known
    const target = createTarget(requestsMax / processes, unpaidBytesPerMinute / processes, now)
    targets.set(name, target)
    return target
  }

  function domainOf(host: string): Target {
    return targetOf(`domain ${registrableDomain(host)}`, perMinute)
  }

  function addressOf(block: string): Target {
    return targetOf(`address ${block}`, perMinute * addressFactor)
  }

  /** Takes requests for the first of these requesters that may have them, or throws FetchFailure. */
  function takeForOne(domain: Target, requesters: Iterable<Requester>, countMax = 1, countMin = 1): Claim {
    const claimants = byStanding(requesters).map((requester) => ({
      requester,
      blocks: blocksOf(requester, isDivided),
    }))
    for (const claimant of claimants) {
      const taken = domain.take(claimant, countMax, countMin)
      if (taken !== undefined) return { ...claimant, taken }
    }
    throw busyFailure(claimants.map((claimant) => domain.waitMs(claimant)))
  }

  return {
    /** Takes requests for work that begins, as many as there are. @throws FetchFailure if there are fewer than `countMin` */
    reserve(host: string, requesters: Iterable<Requester>, { countMax, countMin }: ReservationCounts) {
      const domain = domainOf(host)
      return createReservation(domain, takeForOne(domain, requesters, countMax, countMin))
    },

    /** Takes a request to the domain before the name is resolved. @throws FetchFailure `target_busy` */
    begin(host: string, requesters: Iterable<Requester>, reservation?: TargetReservation) {
      const domain = domainOf(host)
      const claim = reservation?.takeOne(domain) ?? takeForOne(domain, requesters)
      return createRequest(domain, claim, addressOf)
    },
  }
}

interface Claimant {
  readonly requester: Requester
  readonly blocks: readonly ClientBlock[]
}

interface Claim extends Claimant {
  readonly taken: Taken
}

export interface ReservationCounts {
  readonly countMax: number
  readonly countMin: number
}

export type TargetReservation = ReturnType<typeof createReservation>

function createReservation(domain: Target, claim: Claim) {
  return {
    count: claim.taken.count,
    /** Takes one of them now; undefined if it is for another domain, or none is left. */
    takeOne(from: Target): Claim | undefined {
      const taken = from === domain ? claim.taken.takeOne() : undefined
      return taken && { ...claim, taken }
    },
    release: () => claim.taken.resize(0),
  }
}

/** One request, from before its host name is resolved until its connection is closed. */
function createRequest(domain: Target, claim: Claim, addressOf: (block: string) => Target) {
  /** Nothing stands behind it, so that little of a document is read. */
  const isUnpaid = claim.requester.kind === 'unpaid'
  const atAddresses = new Map<string, Taken>()
  const transfers: Taken[] = []

  /** The most that may come over the wire of a body of which `bodyBytes` are read. */
  function wireBytesMax(bodyBytes: number): number {
    return isUnpaid ? Math.min(bodyBytes, domain.documentBytesMax) : Number.POSITIVE_INFINITY
  }

  function takeTransfer(target: Target, bodyBytes: number): boolean {
    if (!isUnpaid) return true
    const taken = target.takeTransfer(claim, wireBytesMax(bodyBytes))
    if (taken !== undefined) transfers.push(taken)
    return taken !== undefined
  }

  return {
    isUnpaid,
    wireBytesMax,
    /** Takes the request at the addresses just before it is sent; returns those with one left. @throws FetchFailure `target_busy` */
    send(addresses: readonly string[], bodyBytes: number): readonly string[] {
      if (!takeTransfer(domain, bodyBytes)) throw busyFailure([domain.transferWaitMs()])
      const waitsMs: number[] = []
      for (const block of new Set(addresses.map(addressBlock))) {
        const target = addressOf(block)
        const taken = target.take(claim)
        if (taken === undefined) waitsMs.push(target.waitMs(claim))
        else if (takeTransfer(target, bodyBytes)) atAddresses.set(block, taken)
        else {
          taken.resize(0)
          waitsMs.push(target.transferWaitMs())
        }
      }
      if (atAddresses.size === 0) throw busyFailure(waitsMs)
      claim.taken.renew()
      return addresses.filter((address) => atAddresses.has(addressBlock(address)))
    },
    /** The request has gone to this address, so it is given back to the others. */
    reached(address: string): void {
      for (const [block, taken] of atAddresses) if (block !== addressBlock(address)) taken.resize(0)
    },
    /** Once sent, the request stays counted, whatever became of it. */
    end(wireBytes: number): void {
      if (atAddresses.size === 0) claim.taken.resize(0)
      for (const transfer of transfers) transfer.resize(wireBytes)
    },
  }
}

interface Taken {
  readonly count: number
  resize(left: number): void
  /** Counts them from now on. */
  renew(): void
  /** Takes one of them apart; undefined if there is none, or if they are forgotten. */
  takeOne(): Taken | undefined
}

/** Takes requests or bytes of a window, and lets go of them again. */
function takeFrom(
  window: SharedWindow,
  blocks: readonly ClientBlock[],
  count: number,
  now: () => number,
): Taken {
  let entry = window.add(blocks, count, now())
  return {
    count,
    resize: (left) => window.resize(entry, left),
    renew() {
      const left = entry.count
      window.resize(entry, 0)
      entry = window.add(blocks, left, now())
    },
    takeOne() {
      if (entry.count === 0 || !window.has(entry)) return undefined
      window.resize(entry, entry.count - 1)
      return takeFrom(window, blocks, 1, now)
    },
  }
}

type Target = ReturnType<typeof createTarget>

/** A domain or an address, and what was asked of it in the last minute. */
function createTarget(requestsMax: number, transferBytesMax: number, now: () => number) {
  const unpaid = new SharedWindow()
  const unpaidMax = Math.max(1, Math.floor(requestsMax / 5))
  const rest = new SharedWindow()
  const restMax = Math.max(1, Math.floor(requestsMax) - unpaidMax)
  const transfers = new SharedWindow()
  /** The last two of those who share the rest, and when they asked. */
  let wanted: readonly { readonly id: string; readonly atMs: number }[] = []

  function windowOf({ kind }: Requester): SharedWindow {
    const window = kind === 'unpaid' ? unpaid : rest
    window.forget(now())
    return window
  }

  /** Notes that a requester wants a part of the rest. Returns whether a key has to leave some to others. */
  function isWantedByOthers({ kind, id, isBackground }: Requester): boolean {
    if (kind === 'unpaid') return false
    const atMs = now()
    const others = wanted.filter((each) => each.id !== id)
    if (isBackground !== true) wanted = [...others, { id, atMs }].slice(-2)
    return kind === 'key' && others.some((each) => isWithin(each.atMs, atMs, minuteMs))
  }

  return {
    /** The most that a document which nothing pays for may have, so that the part for new clients has room for one. */
    documentBytesMax: Math.min(unpaidDocumentBytesMax, Math.floor(transferBytesMax / 8)),
    /** Takes as many requests as there are, up to `countMax`; undefined if there are fewer than `countMin`. */
    take({ requester, blocks }: Claimant, countMax = 1, countMin = 1): Taken | undefined {
      const window = windowOf(requester)
      const max = requester.kind === 'unpaid' ? unpaidMax : restMax
      const shareMax = isWantedByOthers(requester) ? max / 4 : undefined
      const free = requester.isBackground === true ? Math.floor(max / 2 - window.total) : countMax
      for (let count = Math.min(countMax, free); count >= countMin; count -= 1)
        if (window.leavesRoom(max, blocks, count, shareMax)) return takeFrom(window, blocks, count, now)
      return undefined
    },
    takeTransfer({ blocks }: Claimant, bytes: number): Taken | undefined {
      transfers.forget(now())
      return transfers.leavesRoom(transferBytesMax, blocks, bytes)
        ? takeFrom(transfers, blocks, bytes, now)
        : undefined
    },
    waitMs: ({ requester }: Claimant) => windowOf(requester).msUntilFirstEnds(now()),
    transferWaitMs: () => transfers.msUntilFirstEnds(now()),
    isIdle(nowMs: number): boolean {
      if (wanted.some(({ atMs }) => isWithin(atMs, nowMs, minuteMs))) return false
      return [unpaid, rest, transfers].every((window) => {
        window.forget(nowMs)
        return window.isEmpty()
      })
    },
  }
}

function blocksOf({ kind, id, isBackground = false }: Requester, isDivided: (client: string) => boolean) {
  if (kind === 'key') return [{ name: id, weight: 1 }]
  return kind === 'unpaid' && (isBackground || isDivided(id)) ? clientBlocks(id) : []
}

/** Sorts requesters: who pays first, then who signs, and the background last. The operator stands for nobody. */
function byStanding(requesters: Iterable<Requester>): readonly Requester[] {
  const all = [...requesters]
  const rank = ({ kind, isBackground }: Requester) => kinds.indexOf(kind) + (isBackground === true ? 3 : 0)
  return all.length === 0 ? [operatorRequester] : all.sort((one, other) => rank(one) - rank(other))
}

const kinds: readonly Requester['kind'][] = ['paid', 'key', 'unpaid']

function busyFailure(waitsMs: readonly number[]): FetchFailure {
  return new FetchFailure('target_busy', {
    retryAfterSeconds: Math.max(1, Math.ceil(Math.min(...waitsMs) / 1000)),
  })
}

/** The domain that somebody registered. An address in place of a name stands for its block. */
function registrableDomain(host: string): string {
  const address = host.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0) return addressBlock(address)
  // Names that no registry would take, such as `-1.example.com`, resolve too where somebody has a wildcard.
  return getDomain(host, { allowPrivateDomains: true, validateHostname: false }) ?? host
}
