import type { Granted, Quota } from '../access/authorization.ts'
import type { CompleteQuery, LiveQuery } from '../assets/kit/producer.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'
import { completedRequest } from './request-parser.ts'

type Answer = (parsed: ParsedRequest, context: RequestContext) => Response | Promise<Response>

interface LiveRequestsDeps {
  /** Called with each request whose document is in memory: it may come again. */
  readonly remember: ((parsed: ParsedRequest, context: RequestContext) => void) | undefined
  readonly answerComplete: Answer
  /** Authorizes without looking at a copy that the caller has. */
  readonly answerInFull: Answer
}

/** Answers requests whose query a document completes. Returns no promise where there is nothing to wait for. */
export function createLiveAnswer({ remember, answerComplete, answerInFull }: LiveRequestsDeps) {
  /** Answers from a document in memory as if the query had its texts; else the document is read after authorizing. */
  function answerPrepared(live: LiveQuery, parsed: ParsedRequest, context: RequestContext) {
    const complete = live.current()
    if (complete === undefined) return answerInFull(parsed, context)
    remember?.(parsed, context)
    return answerComplete(completedRequest(parsed, complete), context)
  }

  return (live: LiveQuery, parsed: ParsedRequest, context: RequestContext): Response | Promise<Response> => {
    const preparing = live.prepare()
    if (preparing !== undefined) return preparing.then(() => answerPrepared(live, parsed, context))
    return answerPrepared(live, parsed, context)
  }
}

type Deliver = (
  parsed: ParsedRequest,
  context: RequestContext,
  grant: Granted,
) => Response | Promise<Response>

interface LiveDelivery {
  readonly deliver: Deliver
  /** Answers without counting anything. */
  readonly respond: Deliver
}

/** Reads the document of a granted call, then answers. Nobody pays for a badge that stands in for its document. */
export async function deliverLive(
  live: LiveQuery,
  parsed: ParsedRequest,
  context: RequestContext,
  grant: Granted,
  { deliver, respond }: LiveDelivery,
): Promise<Response> {
  let complete: CompleteQuery
  try {
    complete = await live.read(context, grant)
  } catch (error) {
    await grant.refund()
    throw error
  }
  const request = completedRequest(parsed, complete)
  if (!complete.isFallback) return deliver(request, context, grant)
  await grant.refund()
  return respond(request, context, uncharged(grant))
}

/** A grant whose call was not counted after all. */
function uncharged(grant: Granted): Granted {
  const { mode, keyId, addressDigest, quota, secondsLeft } = grant
  return {
    granted: true,
    mode,
    ...(keyId !== undefined && { keyId }),
    addressDigest,
    ...(quota && { quota: addressDigest === undefined ? givenBack(quota) : quota }),
    secondsLeft,
    refund: async () => {},
  }
}

/** The quota with one call more. The view of a signed address may have been free, so it gives nothing back. */
function givenBack({ remaining, ...quota }: Quota): Quota {
  return { ...quota, remaining: remaining === null ? null : remaining + 1 }
}
