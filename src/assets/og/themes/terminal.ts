import { coverPicture } from '../background/cover-picture.ts'
import { lowered } from '../engine/boxes.ts'
import { themeOf } from '../engine/compile-layout.ts'
import { terminalDesktop, terminalWindow, windowShadow } from '../terminal-window.ts'
import json from './terminal.json' with { type: 'json' }

/** Theme: a terminal that leaves the card at its end, with a prompt, a cursor behind the title and a status bar. */
export const terminal = themeOf(json, {
  patterns: 1,
  background: (look, colors, boxes) => ({
    color: colors.background,
    body:
      terminalDesktop(look, colors) +
      windowShadow(boxes, look.size) +
      terminalWindow(boxes, look.size, colors),
    logoBackgrounds: [look.align === 'center' ? colors.background : colors.of('frame')],
  }),
  isOverPicture: true,
  /** The window is beside the picture, below it on a card that is no wide one, or small over it. */
  picture(look, colors, _boxes, picture, boxesOn) {
    const { size, direction, align, brandBackground } = look
    const { widthPx, heightPx, shape } = size
    const [isWide, isCentred] = [shape === 'wide', align === 'center']
    const sheet = isWide
      ? { ...size, widthPx: isCentred ? widthPx : Math.round(widthPx * 0.66) }
      : { ...size, heightPx: Math.round(heightPx * (shape === 'tall' ? 0.62 : 0.66)) }
    const y = heightPx - sheet.heightPx
    const whole = { x: 0, y: 0, width: widthPx, height: heightPx }
    const beside = isWide
      ? { ...whole, x: sheet.widthPx, width: widthPx - sheet.widthPx }
      : { ...whole, height: y }
    const shown = isWide && isCentred ? whole : beside
    const isOver = brandBackground?.layout === 'cover' || shown === whole
    const bare = boxesOn(sheet)
    const boxes = lowered(bare, y)
    const window = terminalWindow(boxes, isOver ? size : sheet, colors)
    const desktop = terminalDesktop({ ...look, size: sheet }, colors) + windowShadow(bare, sheet)
    return {
      color: colors.background,
      picture: coverPicture(picture, isOver ? whole : shown, widthPx, direction, shown).picture,
      body: isOver
        ? window
        : (y === 0 ? desktop : `<g transform="translate(0 ${y})">${desktop}</g>`) + window,
      boxes,
      logoBackgrounds: [isCentred ? colors.background : colors.of('frame')],
    }
  },
})
