/**
 * `GET /payments/{payer}/{nonce}`, for a buyer whose answer was lost. The path names both halves of the key, so
 * payments cannot be listed. The answer never says what was bought.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { sendJson } from '../../http/body/send.ts'
import { errorHandler } from '../../http/error-handler.ts'
import { methodNotAllowed } from '../../http/method-not-allowed.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import type { UnexpectedErrorLog } from '../../http/unexpected-error.ts'
import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import { StoreUnavailable } from '../../ledger/store/store-unavailable.ts'
import { retryAfterOf } from '../../payments/ports/consequences.ts'
import { publicStateOf } from '../../payments/ports/payment-state.ts'
import { ADDRESS, WORD } from '../../values/hex.ts'
import type { Counter } from '../call/counter.ts'
import { PATHS } from '../call/paths.ts'

export interface PaymentStateDeps {
  /** Finds the payment on any network that payments are taken on; both parts in lower case. */
  readonly findPayment: (payer: string, nonce: string) => Promise<PaymentRow | null>
  readonly counter: Counter
  readonly sendProblem: SendProblem
  readonly log: UnexpectedErrorLog
}

const PATH = /^\/payments\/([^/]+)\/([^/]+)$/

export function paymentStateRoutes(deps: PaymentStateDeps): Middleware {
  const handle = paymentStateHandler(deps)
  return function paymentStateRoutes(req, res, next) {
    if (PATH.test(pathOf(req))) handle(req, res)
    else next()
  }
}

function paymentStateHandler(deps: PaymentStateDeps): Handler {
  const { findPayment, counter, sendProblem } = deps
  const refuseMethod = methodNotAllowed(sendProblem, ['GET', 'HEAD'])

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const over = counter.admit(res, 'unpaid')
    if (over !== undefined)
      return sendProblem(res, over.code, { headers: { 'Retry-After': over.retryAfterSeconds } })
    counter.count(res, 'unpaid')
    const [, payer = '', nonce = ''] = PATH.exec(pathOf(req).toLowerCase()) ?? []
    if (!ADDRESS.test(payer) || !WORD.test(nonce)) return sendProblem(res, 'payment_key_malformed')
    const row = await findPayment(payer, nonce)
    if (row === null) return sendProblem(res, 'payment_not_found')
    // Only a guess counts. It is counted before the look-up, so that many at once are limited too.
    counter.forgive(res)
    sendJson(res, stateOf(row))
  }

  return function paymentState(req, res) {
    setAccessLogFields(res, { route: PATHS.payment, surface: 'rest' })
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuseMethod(req, res)
    const onDefect = errorHandler(deps.log, res, () => sendProblem(res, 'internal_error'))
    answer(req, res).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) return onDefect(error)
      const seconds = retryAfterOf({ code: 'payment_state_unknown' })
      sendProblem(res, 'payment_state_unknown', { headers: { 'Retry-After': seconds } })
    })
  }
}

const stateOf = (row: PaymentRow) => ({ payer: row.payer, nonce: row.nonce, ...publicStateOf(row) })
