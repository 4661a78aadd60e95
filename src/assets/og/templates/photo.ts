import { defineTemplate } from '../engine/contracts.ts'

export const photo = defineTemplate({
  about: 'a picture to all edges, with words at its foot',
  area: 'picture',
  parameters: {},
  roles: {},
  texts: () => ({}),
  draw(stage) {
    const { boxes } = stage
    stage.setTexts({ boxes: { ...boxes, text: { ...boxes.text, anchor: 1 } } })
  },
})
