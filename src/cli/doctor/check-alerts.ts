import type { Config } from '../../config.ts'
import { systemClock } from '../../lib/clock.ts'
import { testAlertBody } from '../../operator/alert-body.ts'
import { createAlertSender } from '../../operator/alert-sender.ts'
import { readText } from '../read-text.ts'
import { bad, type Finding, ok, warning } from './finding.ts'

/** Whether alerts have a receiver. @param sendsTest sends it a test alert */
export async function checkAlerts(config: Config, sendsTest: boolean): Promise<Finding> {
  const send = createAlertSender({ config, clock: systemClock, readFile: readText })
  if (send === undefined)
    return (sendsTest ? bad : ok)(
      'off (ALERT_WEBHOOK_URL is not set): nobody is told of a full disk or quota',
    )
  if (!sendsTest)
    return config.ALERT_WEBHOOK_SECRET === undefined
      ? warning('ALERT_WEBHOOK_SECRET is not set, so a receiver cannot tell alerts from anybody’s requests')
      : ok('on; --alert sends a test')
  const problem = await send(testAlertBody({ nowMs: systemClock.now(), baseUrl: config.BASE_URL }))
  return problem === undefined
    ? ok('the test alert arrived')
    : bad(`the test alert did not arrive: ${problem}`)
}
