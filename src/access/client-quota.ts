import { clientBlocks } from '../lib/client-blocks.ts'
import type { Meter, QuotaReservation, ReservationRequest } from '../store/meter.ts'

interface ClientRequest extends Pick<ReservationRequest, 'n' | 'dedupKey'> {
  /** Ends the names of the buckets. */
  readonly name: string
  /** The limit of an IPv4 address or a /64; a /56 and a /48 have four and sixteen times as much. */
  readonly limit: number
}

export interface ClientReservation extends Pick<QuotaReservation, 'granted' | 'resetsAtMs'> {
  /** Never rejects. */
  release(): Promise<void>
}

/**
 * Counts a call against the daily quota of a client address, in every block that it lies in, or in none: what a smaller block
 * granted is released where a larger one refuses. Rejects with `MeterUnavailable`.
 */
export async function reserveForClient(
  meter: Pick<Meter, 'reserve' | 'release'>,
  clientAddress: string,
  { name, limit, ...request }: ClientRequest,
): Promise<ClientReservation> {
  const granted: QuotaReservation[] = []
  async function release(): Promise<void> {
    await Promise.all(granted.splice(0).map((each) => meter.release(each)))
  }
  let resetsAtMs = 0
  try {
    // The smallest block comes first, so that a client beyond its own limit holds nothing of its neighbours’.
    for (const block of clientBlocks(clientAddress)) {
      const bucket = `ip:${block.name}:${name}`
      const reservation = await meter.reserve({ ...request, bucket, limit: limit * block.weight })
      resetsAtMs = reservation.resetsAtMs
      if (!reservation.granted) {
        await release()
        return { granted: false, resetsAtMs, release }
      }
      granted.push(reservation)
    }
    return { granted: true, resetsAtMs, release }
  } catch (error) {
    await release()
    throw error
  }
}
