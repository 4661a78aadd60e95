import type { TObject } from '@sinclair/typebox'
import type { ProblemCode } from '../../errors.ts'
import { parametersOfRoute } from '../../http/router.ts'
import type { SchemaName } from './components.ts'

const sections = ['keys', 'payments', 'machines', 'pages'] as const

type Section = (typeof sections)[number]

/** Description of a route that is no asset. It is beside the route, as the `detail` of Elysia. */
interface RouteDetail {
  readonly operationId: string
  readonly tags: [Section]
  readonly summary: string
  readonly mediaType: string
  readonly schema?: SchemaName
  readonly problems?: readonly ProblemCode[]
  readonly canCost?: boolean
  /** True if the call may be signed, and is refused if the signature is wrong. */
  readonly isSigned?: boolean
}

type Rest = Partial<Pick<RouteDetail, 'mediaType' | 'schema' | 'problems' | 'canCost' | 'isSigned'>>

/** Returns the options of a route that documents list. The media type is HTML for pages, else JSON, unless given. */
export function operation(section: Section, operationId: string, summary: string, rest: Rest = {}) {
  const mediaType = section === 'pages' ? 'text/html' : 'application/json'
  const detail: RouteDetail = { operationId, tags: [section], summary, mediaType, ...rest }
  return { detail }
}

export interface RouteOperation extends RouteDetail, Pick<Route, 'method' | 'path'> {
  readonly query: TObject | undefined
}

export interface Route {
  readonly method: string
  readonly path: string
  /** The detail of a route that no document lists is empty or missing. */
  readonly hooks: { readonly detail?: RouteDetail | object; readonly query?: unknown }
}

/** Every public operation that is no asset, by section. The reference, OpenAPI, sitemap and llms.txt follow from it. */
export function operationsOf(routes: readonly Route[]): readonly RouteOperation[] {
  const all = routes.flatMap(({ method, path, hooks }) => {
    const { detail } = hooks
    if (detail === undefined || !('operationId' in detail)) return []
    return [{ ...detail, method, path, query: parametersOfRoute(hooks) }]
  })
  return sections.flatMap((section) => operationsIn(section, all))
}

export function operationsIn(section: Section, all: readonly RouteOperation[]): readonly RouteOperation[] {
  return all.filter(({ tags }) => tags[0] === section)
}
