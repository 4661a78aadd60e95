import type { Peers } from '../peers.ts'
import { createLeaseOwner, isLeaseOwnerGone } from './lease-owner.ts'

/**
 * Processes of one machine, which the system knows. They wait for one another's transactions and hardly notice it, so each
 * does the common work.
 */
export function createSqlitePeers(): Peers {
  return {
    ownName: createLeaseOwner(),
    isGone: async (name) => isLeaseOwnerGone(name),
    async alone(_, run) {
      await run()
      return true
    },
  }
}
