import { choice, formatted, text } from '../../../lib/fields.ts'
import { defineTemplate } from '../engine/contracts.ts'
import parameterTexts from '../parameter-texts.json' with { type: 'json' }
import languages from './code-languages.json' with { type: 'json' }

const names = Object.keys(languages)
const shortNames = ['js', 'jsx', 'ts', 'tsx', 'py', 'rb', 'rs', 'cs', 'kt', 'sh', 'bash', 'yml']

export const code = defineTemplate({
  about: 'lines of code in colours',
  area: 'code',
  parameters: {
    code: {
      ...formatted('code', parameterTexts.code.code),
      variants: {
        parameter: 'overflow',
        fields: { ellipsis: formatted('long-code', parameterTexts.code.long) },
      },
    },
    language: choice([...names, ...shortNames], parameterTexts.code.language),
    file: text(0, 60, parameterTexts.code.file),
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
