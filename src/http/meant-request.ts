import type { Grant, ProduceContext } from '../assets/kit/producer.ts'
import type { ParsedRequest } from './parsed-request.ts'

/** Returns a granted request once it is known what it means. Rejects if that cannot be found. */
export async function meantRequest(
  parse: () => ParsedRequest,
  context: ProduceContext,
  grant: Grant,
): Promise<ParsedRequest> {
  const check = parse().resolved?.recheck()
  await check
  const parsed = parse()
  const { resolved } = parsed
  return resolved?.find === undefined ? parsed : parsed.withMeaning(await resolved.find(context, grant))
}
