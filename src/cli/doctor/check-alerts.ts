import type { Config } from '../../config.ts'
import { systemClock } from '../../lib/clock.ts'
import { testAlertBody } from '../../operator/alert-body.ts'
import { createAlertSender } from '../../operator/alert-sender.ts'
import { readText } from '../read-text.ts'
import { bad, type Finding, ok, warning } from './finding.ts'

/** Whether a test alert arrives. @param asked true: a missing receiver is a fault; false: no test is sent */
export async function checkAlerts(config: Config, asked: boolean | undefined): Promise<Finding> {
  const send = createAlertSender({ config, clock: systemClock, readFile: readText })
  if (send === undefined)
    return (asked === true ? bad : ok)(
      'off (ALERT_WEBHOOK_URL is not set): nobody is told of a full disk or quota',
    )
  const isSigned = config.ALERT_WEBHOOK_SECRET !== undefined
  function fine(said: string): Finding {
    return isSigned ? ok(said) : warning(`${said} ${unsigned}`)
  }
  if (asked === false) return fine('on, and not tried.')
  const body = testAlertBody({ nowMs: systemClock.now(), baseUrl: config.BASE_URL })
  const { isDelivered, text } = await send(body)
  return isDelivered ? fine(`a test alert was sent. ${text}`) : bad(`the test alert did not arrive. ${text}`)
}

const unsigned = 'ALERT_WEBHOOK_SECRET is not set, so a receiver cannot tell alerts from anybody’s requests.'
