import { encodePng } from './png.ts'
import { type DrawSvgOptions, drawSvg } from './resvg.ts'

/**
 * Draws a small self-contained SVG (badge, avatar) as PNG.
 * @throws Error when resvg cannot read the SVG.
 */
export const svgToPng = (svg: string, options?: DrawSvgOptions): Uint8Array<ArrayBuffer> =>
  encodePng(drawSvg(svg, options), { palette: true })
