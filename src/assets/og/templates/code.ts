import { choice, formatted, text } from '../../../lib/fields.ts'
import { defineTemplate } from '../engine/template-contract.ts'
import languages from './code-languages.json' with { type: 'json' }

const names = Object.keys(languages)
const shortNames = ['js', 'jsx', 'ts', 'tsx', 'py', 'rb', 'rs', 'cs', 'kt', 'sh', 'bash', 'yml']

export const code = defineTemplate({
  about: 'lines of code in colours',
  area: 'code',
  parameters: {
    code: {
      ...formatted('code', { description: 'The code, drawn as it is written; tabs become two spaces' }),
      variants: {
        parameter: 'overflow',
        fields: { ellipsis: formatted('long-code', { description: 'The code, cut where it is too long' }) },
      },
    },
    language: choice([...names, ...shortNames], {
      description: 'The language of the code, by its name or a short one such as js',
      whenMissing: 'guessed from file or code',
    }),
    file: text(0, 60, { description: 'The name of the file, at the foot of the card', example: 'retry.js' }),
  },
  required: 'code',
  byline: { second: 'file' },
  roles: {
    code: { parameter: 'code', style: ({ code = { family: 'mono', weight: 500 } }) => code },
    file: { parameter: 'file', style: () => ({ family: 'mono', weight: 500 }) },
  },
  texts: ({ code, file }) => ({ code, file }),
  load: () => import('./code-drawing.ts'),
})
