import type { PathSink } from '../svg/read-path.ts'
import type { HarfBuzzModule } from './harfbuzz-module.ts'

/** Draws glyphs of any font of the module into a sink: in 1/1000 em, y up. */
export function createHarfBuzzPen({ call, addCallback }: HarfBuzzModule) {
  let sink: PathSink | undefined
  const funcs = call('hb_draw_funcs_create')
  function on(name: string, parameters: string, callback: (...args: number[]) => void) {
    call(`hb_draw_funcs_set_${name}_func`, funcs, addCallback(parameters, callback), 0, 0)
  }
  // Three pointers come first, one last; between them are the coordinates.
  on('move_to', 'iiiffi', (_f, _d, _s, x = 0, y = 0) => sink?.moveTo(x, y))
  on('line_to', 'iiiffi', (_f, _d, _s, x = 0, y = 0) => sink?.lineTo(x, y))
  on('quadratic_to', 'iiiffffi', (_f, _d, _s, cx = 0, cy = 0, x = 0, y = 0) =>
    sink?.quadraticTo(cx, cy, x, y),
  )
  on('cubic_to', 'iiiffffffi', (_f, _d, _s, ax = 0, ay = 0, bx = 0, by = 0, x = 0, y = 0) =>
    sink?.cubicTo(ax, ay, bx, by, x, y),
  )
  on('close_path', 'iiii', () => sink?.close())

  /** @param font pointer of a font of the same module. */
  return (font: number, glyph: number, target: PathSink): void => {
    sink = target
    call('hb_font_draw_glyph', font, glyph, funcs, 0)
    sink = undefined
  }
}
