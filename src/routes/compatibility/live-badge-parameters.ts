import type { SourceParameter } from '../../assets/badge/live/source.ts'
import { badgeQuery } from '../../assets/badge/query.ts'
import { withinCharacters } from '../../lib/within-characters.ts'
import { type BadgeService, badgeParameters } from './badge-parameters.ts'
import { goessnerPath } from './goessner-path.ts'
import type { ParameterPair, Parameters } from './parameters.ts'

/** The label and the colour that shields.io gives a dynamic badge. */
const dynamicWords = { label: 'custom badge', message: '', color: 'blue' }
const endpointWords = { label: '', message: '', color: '' }

/** Our own parameters of a badge that shields.io fills from a document. It always answers with a badge. */
export function liveBadgeParameters(
  parameters: Parameters,
  source: SourceParameter,
  service: BadgeService,
): readonly ParameterPair[] {
  const isEndpoint = source === 'endpoint'
  const drawn = badgeParameters(parameters, isEndpoint ? endpointWords : dynamicWords, service)
  const isLabelled = parameters.has('label') || !isEndpoint
  const url = lastOf(parameters, 'url') ?? lastOf(parameters, 'uri') ?? ''
  return [
    ...drawn.filter(([name]) => name !== 'value' && (isLabelled || name !== 'label')),
    [source, url],
    ...(isEndpoint ? [] : pathParameters(parameters, source)),
    ['fallback', 'badge'],
  ]
}

const affixes = ['prefix', 'suffix'] as const

function pathParameters(parameters: Parameters, source: SourceParameter): readonly ParameterPair[] {
  const given = affixes.flatMap((name): ParameterPair[] => {
    const text = lastOf(parameters, name)
    return text ? [[name, withinCharacters(text, Number(badgeQuery.properties[name].maxLength))]] : []
  })
  const query = lastOf(parameters, 'query') ?? ''
  return [['query', source === 'xml' ? query.trim() : goessnerPath(query)], ...given]
}

function lastOf(parameters: Parameters, name: string): string | undefined {
  return parameters.get(name)?.at(-1)
}
