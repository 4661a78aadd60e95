import { formatted, text } from '../../../lib/fields.ts'
import type { TextStyle } from '../../../text/types.ts'
import { defineTemplate } from '../engine/contracts.ts'
import parameterTexts from '../parameter-texts.json' with { type: 'json' }
import { dateIn, leafIn } from './dates.ts'
import { type Moment, momentOf, untilDaysMax } from './forms.ts'

export const event = defineTemplate({
  about: 'an event with its day, place and time',
  area: 'usual',
  parameters: {
    date: formatted('event-time', parameterTexts.event.date),
    place: text(0, 80, parameterTexts.event.place),
    until: formatted('event-time', {
      description: `The end of the event, at most ${untilDaysMax} days later`,
    }),
  },
  required: 'date',
  roles: {
    when: { parameter: 'date', style: ({ subtitle }) => subtitle },
    date: { parameter: 'date', style: leafStyle, isSilent: true },
    until: { parameter: 'until', style: leafStyle, isSilent: true },
    place: { parameter: 'place', style: ({ subtitle }) => subtitle },
    time: { parameter: 'date', style: ({ subtitle }) => subtitle },
  },
  rule({ date, until }) {
    const [start, end] = [momentOf(String(date)), momentOf(String(until))]
    if (start === undefined || end === undefined) return undefined
    const isWholeDay = start.time === undefined || end.time === undefined
    const isBefore = isWholeDay ? end.day < start.day : end.ms < start.ms
    if (isBefore) return { parameter: 'until', message: 'must not be before date' }
    const isLate = end.ms - start.ms > untilDaysMax * 86_400_000
    return isLate ? { parameter: 'until', message: `must be within ${untilDaysMax} days of date` } : undefined
  },
  texts({ date = '', place, until = '' }, lang) {
    const [start, end] = [momentOf(date), momentOf(until)]
    if (start === undefined) return {}
    const [first, last] = [leafIn(lang, start.day), leafIn(lang, end?.day ?? start.day)]
    const isOneMonth = first.month === last.month && first.year === last.year
    const days = first.day === last.day || !isOneMonth ? first.day : `${first.day}–${last.day}`
    const hasMore = end !== undefined && end.day !== start.day
    return {
      when: `${dateIn(lang, start.day)}${hasMore ? ` – ${dateIn(lang, end.day)}` : ''}`,
      date: `${first.month} ${days} ${first.year}`,
      until: isOneMonth ? undefined : `${last.month} ${last.day} ${last.year}`,
      place,
      time: timeOf(start, hasMore ? undefined : end),
    }
  },
  load: () => import('./event-drawing.ts'),
})

/** Time and zone as they are written, and the end of an event of one day. */
function timeOf(start: Moment, end: Moment | undefined): string | undefined {
  if (start.time === undefined) return undefined
  if (end?.time === undefined || end.ms <= start.ms) return `${start.time} ${zoneOf(start)}`
  const zone = end.zone === start.zone ? '' : ` ${zoneOf(start)}`
  return `${start.time}${zone}–${end.time} ${zoneOf(end)}`
}

function zoneOf({ zone }: Moment): string {
  return zone === 'Z' ? 'UTC' : (zone ?? '')
}

function leafStyle({ title }: { readonly title: TextStyle }): TextStyle {
  return { family: title.family === 'serif-italic' ? 'serif' : title.family, weight: 700, trackingUnits: -10 }
}
