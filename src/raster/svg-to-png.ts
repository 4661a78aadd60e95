import { encodePng } from './png.ts'
import { type DrawSvgOptions, drawSvg } from './resvg.ts'

export function svgToPng(svg: string, options?: DrawSvgOptions): Uint8Array<ArrayBuffer> {
  return encodePng(drawSvg(svg, options), { palette: true })
}
