import { type DrawSvgOptions, drawSvg } from './draw-svg.ts'
import { encodePng } from './encode-png.ts'

export function svgToPng(svg: string, options?: DrawSvgOptions): Uint8Array<ArrayBuffer> {
  return encodePng(drawSvg(svg, options), { palette: true })
}
