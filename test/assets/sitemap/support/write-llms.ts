import { type LlmsRequest, llmsSteps } from '../../../../src/assets/sitemap/write-llms.ts'

/** Writes an llms.txt in one turn. */
export function writeLlms(request: LlmsRequest): string {
  const steps = llmsSteps(request)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value.text
  }
}
