import { Counts } from '../lib/counts.ts'
import type { SlotHolder, SlotRequest, SlotTable } from './slot-table.ts'

/**
 * Aborts slow work of requesters that hold more slots than a waiting one, at most one holder for each waiting request.
 * A slow target is slow for everybody. So a holder at a crowded target must have two slots more than the waiting
 * requester: with one more, the two would only change places.
 */
export function preemptSlowWork(waiting: readonly SlotRequest[], slots: SlotTable): void {
  const wanted = new Counts()
  function freeOne(place: string, candidates: readonly SlotHolder[], loadMin: number) {
    wanted.add([place], 1)
    const ending = candidates.filter(({ abort }) => abort.signal.aborted).length
    if (ending < wanted.of(place)) abortMostLoaded(candidates, loadMin, slots)
  }
  for (const request of waiting) {
    if (!slots.hasAllowance(request)) continue
    const load = slots.loadOf(request)
    if (slots.isFull()) freeOne('', [...slots.holders], load + 1)
    for (const { name } of request.targets.filter((target) => slots.isCrowded(target))) {
      const atTarget = [...slots.holders].filter(({ targets }) => targets.includes(name))
      freeOne(name, atTarget, load + 2)
    }
  }
}

/** Aborts the slow holder whose requester has the most slots, if that is at least `loadMin`. */
function abortMostLoaded(candidates: readonly SlotHolder[], loadMin: number, slots: SlotTable): void {
  const [victim] = candidates
    .filter(({ abort, requester, request }) => {
      return !abort.signal.aborted && slots.load(requester) >= loadMin && request.isSlow()
    })
    .sort((one, other) => slots.load(other.requester) - slots.load(one.requester))
  victim?.abort.abort()
}
