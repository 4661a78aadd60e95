import { LRUCache } from 'lru-cache'
import type { QueueClient } from '../../lib/waiter.ts'
import type { Box } from '../../svg/bounds.ts'
import { svgNumber } from '../../svg/svg-values.ts'
import { compactPath } from '../../svg/write-path.ts'
import { blockPath } from '../../text/block-path.ts'
import { emojiBeside, emojiBody } from '../../text/emoji-body.ts'
import type { TextEngine } from '../../text/text-engine.ts'
import type { TextFitter, TextRequest } from '../../text/text-fitter.ts'
import type { Avatar } from './avatar.ts'

/** Initials as outlines. */
export interface Letters {
  /** A path, all commands relative, in steps of 1/1000 em. */
  readonly d: string
  readonly step: number
  /** The SVG of emoji, in place. */
  readonly pictures: string
  /** The box around everything drawn, in 1/1000 em like the emoji. */
  readonly ink: Box
}

const weight = 600
const boldWeight = 800
const charactersMax = 500

/** Shapes initials and caches them, since many names share few initials. */
export function createLetters(engine: TextEngine) {
  const cache = new LRUCache<string, Letters>({
    maxSize: 2 ** 20,
    sizeCalculation: ({ d, pictures }) => d.length + pictures.length + 200,
  })

  function shape(avatar: Avatar, fitter: TextFitter): Letters {
    const { text, style, lang } = requestOf(avatar)
    const fitted = fitter.line(text, style, 1000, lang)
    const [line] = fitted.lines
    const { d, emoji } = blockPath(fitted, 'start', fitted.widthPx)
    const baseline = Math.round(line?.baselinePx ?? 0)
    const pictures = emoji.map(({ name, x, y, sidePx }, index) => {
      const { body, viewBoxPx } = emojiBody(emojiBeside(name, avatar.color), `e${index}-`)
      const place = `translate(${svgNumber(x)} ${svgNumber(y)}) scale(${svgNumber(sidePx / viewBoxPx)})`
      return `<g transform="${place}">${body}</g>`
    })
    return {
      ...compacted(d, gridStep(avatar.sizePx)),
      pictures: pictures.join(''),
      ink: movedDown(line?.ink ?? noInk, baseline),
    }
  }

  function shaped(avatar: Avatar, fitter: TextFitter): Letters {
    const letters = shape(avatar, fitter)
    // A picture may depend on the colour of the letters, which is not in the key.
    if (letters.pictures === '') cache.set(keyOf(avatar), letters)
    return letters
  }

  return {
    of: (avatar: Avatar, client?: QueueClient): Letters | Promise<Letters> =>
      cache.get(keyOf(avatar)) ??
      engine.draw([requestOf(avatar)], (fitter) => shaped(avatar, fitter), client),
  }
}

const noInk: Box = { left: 0, top: 0, right: 0, bottom: 0 }

function movedDown({ left, top, right, bottom }: Box, by: number): Box {
  return { left, right, top: top + by, bottom: bottom + by }
}

function requestOf({ initials, bold, lang }: Avatar): TextRequest {
  const style = { family: 'sans', weight: bold ? boldWeight : weight } as const
  return { text: initials, style, ...(lang !== undefined && { lang }) }
}

function keyOf({ initials, bold, sizePx, lang = '' }: Avatar): string {
  return `${bold ? boldWeight : weight} ${gridStep(sizePx)} ${lang} ${initials}`
}

/** Letters with many curves get a coarser grid in small avatars, which keeps the files small. */
function compacted(d: string, step: number): { d: string; step: number } {
  const short = compactPath(d, step)
  return short.length > charactersMax && step >= 3 && step < 5 ? compacted(d, step + 1) : { d: short, step }
}

/** The grid step of the outlines in font units: about a sixth of a pixel. */
function gridStep(sizePx: number): number {
  return Math.min(3, Math.max(1, Math.round(400 / sizePx)))
}
