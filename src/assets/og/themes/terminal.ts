import { themeOf } from '../engine/compile-theme.ts'
import { terminalDesktop, terminalWindow, windowShadow } from '../terminal-window.ts'
import json from './terminal.json' with { type: 'json' }

/** Theme: a terminal that leaves the card at its end, with a prompt, a cursor behind the title and a status bar. */
export const terminal = themeOf(json, {
  background: (look, colors, boxes) => ({
    color: colors.background,
    body:
      terminalDesktop(look, colors) +
      windowShadow(boxes, look.size) +
      terminalWindow(boxes, look.size, colors),
    logoBackgrounds: [look.align === 'center' ? colors.background : colors.of('frame')],
  }),
  pane: terminalWindow,
})
