import { loadedOnce } from '../../lib/memo.ts'
import type { QueueClient } from '../../lib/waiter.ts'
import { svgNumber } from '../../svg/svg-values.ts'
import { blockPath } from '../../text/block-path.ts'
import { emojiBeside, emojiBody } from '../../text/emoji.ts'
import type { TextDrawer } from '../../text/text-drawer.ts'
import type { TextFitter, TextRequest } from '../../text/types.ts'
import type { Badge } from './badge.ts'
import { type SizedText, type TextPosition, type TextWriter, writeText } from './badge-elements.ts'
import { renderBadge } from './render-badge.ts'
import { fontWidths, measureText } from './widths/measure.ts'
import {
  createDejaVu,
  createShapedMeasure,
  type DejaVu,
  requestFor,
  requestsFor,
} from './widths/shaped-measure.ts'

/** The excess of a text over its width, in spaces narrower than the engine's, before it is squeezed. */
const slackPx = 4

/** Returns a renderer of badges with texts in the viewer's fonts, or as outlines: DejaVu Sans for Verdana, the text engine for all else. */
export function createBadgeRenderer(text: TextDrawer) {
  const withDejaVu = loadedOnce(createDejaVu)
  return {
    /** Synchronous where the tables have every width, as in Latin. */
    svg(badge: Badge, client?: QueueClient): string | Promise<string> {
      const { svg, texts } = byTables(badge)
      const requests = texts.flatMap(({ text, font, measure }) =>
        measure.exact ? [] : requestsFor(text, font),
      )
      return requests.length === 0 ? svg : drawn(badge, requests, () => writeText, client)
    },
    async outlines(badge: Badge, client?: QueueClient): Promise<string> {
      const requests = byTables(badge).texts.flatMap(({ text, font }) => [
        requestFor(text, font),
        ...requestsFor(text, font),
      ])
      return drawn(badge, requests, outlineWriter, client)
    },
  }

  async function drawn(
    badge: Badge,
    texts: readonly TextRequest[],
    writer: (fitter: TextFitter, dejavu: DejaVu) => TextWriter,
    client?: QueueClient,
  ): Promise<string> {
    const dejavu = await withDejaVu((font) => font)
    function draw(fitter: TextFitter) {
      const measure = createShapedMeasure(fitter, dejavu)
      return renderBadge(badge, { measure, write: writer(fitter, dejavu) })
    }
    return text.draw(texts, draw, client)
  }
}

/** The badge in the viewer's fonts as far as the tables say its widths, and its texts. */
function byTables(badge: Badge) {
  const texts: SizedText[] = []
  function write(text: SizedText, position: TextPosition): string {
    texts.push(text)
    return writeText(text, position)
  }
  return { svg: renderBadge(badge, { measure: measureText, write }), texts }
}

/** Outlines are in tenths of a px around the centre of the text on its baseline. */
function outlineWriter(fitter: TextFitter, dejavu: DejaVu): TextWriter {
  return (text, { x, y, attributes, scaled, color }) => {
    const place = `${scaled ? 'scale(.1)' : ''}translate(${x} ${y})`
    const outlines = measuredText(text, dejavu) ?? shapedText(text, fitter, color)
    return `<g transform="${place}"${attributes}>${outlines}</g>`
  }
}

/** Measured text, spread over exactly its width as `textLength` does; undefined when DejaVu Sans cannot draw it. */
function measuredText({ text, font, measure, widthPx }: SizedText, dejavu: DejaVu): string | undefined {
  const letters =
    measure.exact && font !== 'helvetica-11-bold'
      ? dejavu(text, font.includes('bold') ? 'bold' : 'regular')
      : undefined
  if (letters === undefined) return undefined
  const scale = fontWidths(font).sizePx / 100
  const natural = letters.reduce((sum, { advance }) => sum + advance * scale, 0)
  const spacing = (10 * widthPx - natural) / Math.max(1, letters.length - 1)
  let x = -5 * widthPx
  return letters
    .map(({ d, advance, xOffset, yOffset }) => {
      const place = `translate(${svgNumber(x + xOffset * scale)} ${svgNumber(-yOffset * scale)})scale(${scale})`
      x += advance * scale + spacing
      return d && `<path transform="${place}" d="${d}"/>`
    })
    .join('')
}

function shapedText({ text, font, widthPx }: SizedText, fitter: TextFitter, color: string): string {
  const { style } = requestFor(text, font)
  const fitted = fitter.line(text, style, 10 * fontWidths(font).sizePx)
  const { d, scale, emoji } = blockPath(fitted, 'start', fitted.widthPx)
  const squeeze = Math.min(1, (10 * (widthPx + slackPx)) / fitted.widthPx)
  const pictures = emoji.map(({ name, x, y, sidePx }, index) => {
    const { body, viewBoxPx } = emojiBody(emojiBeside(name, color), `${name}${index}-`)
    return `<g transform="translate(${svgNumber(x)} ${svgNumber(y)})scale(${sidePx / viewBoxPx})">${body}</g>`
  })
  const baseline = fitted.lines[0]?.baselinePx ?? 0
  const place = `scale(${squeeze} 1)translate(${svgNumber(-fitted.widthPx / 2)} ${svgNumber(-baseline)})`
  return `<g transform="${place}"><path transform="scale(${scale})" d="${d}"/>${pictures.join('')}</g>`
}
