import { dropLargeBackground } from './background.ts'
import { paintScene, repainting } from './paint-scene.ts'
import { backgroundColorsMaxOf, encodePicture, type PictureEncoding } from './picture-formats.ts'
import type { Scene } from './scene.ts'

/**
 * Draws a scene as a file, `widthPx` wide.
 * @param onFault hears what is left out because it cannot be drawn
 */
export async function drawScene(
  scene: Scene,
  widthPx: number,
  encoding: PictureEncoding,
  onFault: (fault: string) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const quality = 'quality' in encoding ? encoding.quality : undefined
  const options = { backgroundColorsMax: backgroundColorsMaxOf(encoding.format, quality), onFault }
  try {
    const bitmap = paintScene(scene, widthPx, options)
    return await encodePicture(bitmap, encoding, repainting(scene, widthPx, options))
  } finally {
    dropLargeBackground()
  }
}
