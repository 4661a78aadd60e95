import type { Rule } from '../../kit/asset.ts'

export const documentFormats = ['json', 'yaml', 'toml', 'xml'] as const

export type DocumentFormat = (typeof documentFormats)[number]

export const sourceParameters = ['endpoint', ...documentFormats] as const

/** Characters that a badge shows of a value. */
export const messageCharsMax = 200

export type SourceParameter = (typeof sourceParameters)[number]

type ParsedQuery = Parameters<Rule>[0]

export interface DocumentSource {
  readonly parameter: SourceParameter
  readonly url: string
  readonly format: DocumentFormat
  /** A JSONPath query, or a path in XML; undefined for a document in the endpoint schema of shields.io. */
  readonly path: string | undefined
}

export function documentSourceOf(
  query: Readonly<Partial<Record<SourceParameter | 'query', string | undefined>>>,
): DocumentSource | undefined {
  const parameter = sourceParameters.find((name) => query[name] !== undefined)
  const url = parameter && query[parameter]
  if (parameter === undefined || url === undefined) return undefined
  return parameter === 'endpoint'
    ? { parameter, url, format: 'json', path: undefined }
    : { parameter, url, format: parameter, path: query.query }
}

export function isLive(query: ParsedQuery): boolean {
  return sourceParameters.some((name) => query[name] !== undefined)
}

const pathParameters = ['query', 'prefix', 'suffix'] as const

/** Every parameter that only live badges have. */
export const liveNames: readonly string[] = [...sourceParameters, ...pathParameters, 'fallback']

function hasPath(query: ParsedQuery): boolean {
  return documentFormats.some((name) => query[name] !== undefined)
}

export const liveRules: readonly Rule[] = [
  ...sourceParameters.map(
    (parameter): Rule =>
      (query) => {
        const others = sourceParameters.filter((name) => name !== parameter && query[name] !== undefined)
        return query[parameter] === undefined || others.length === 0
          ? undefined
          : { parameter, message: `is not for a badge that has ${others.join(' and ')} too` }
      },
  ),
  ...pathParameters.map((parameter) => onlyFor(parameter, hasPath, 'json, yaml, toml and xml')),
  (query) =>
    hasPath(query) && query['query'] === undefined
      ? { parameter: 'query', message: 'is required with json, yaml, toml and xml' }
      : undefined,
  onlyFor('fallback', isLive, 'endpoint, json, yaml, toml and xml'),
]

function onlyFor(parameter: string, isRight: (query: ParsedQuery) => boolean, names: string): Rule {
  return (query) =>
    query[parameter] === undefined || isRight(query)
      ? undefined
      : { parameter, message: `is only for ${names}` }
}
