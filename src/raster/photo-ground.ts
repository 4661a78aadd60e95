import { keptBackground } from './background.ts'
import type { PhotoGround } from './encode-photo-png.ts'
import { type PaintOptions, paintScene } from './paint-scene.ts'
import type { Scene } from './scene.ts'

/** What the encoder of a painted scene knows about its ground; undefined when there is no photograph in it. */
export function photoGround(
  scene: Scene,
  widthPx: number,
  options: PaintOptions = {},
): PhotoGround | undefined {
  if (scene.background.picture === undefined) return undefined
  const kept = keptBackground(scene, widthPx)
  return {
    ...(kept && { kept }),
    repaint: (cellPx) => paintScene(scene, widthPx, { ...options, groundCellPx: cellPx }),
  }
}
