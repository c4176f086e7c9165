import { encodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Skill } from '../../../src/catalog/skill.ts'
import { ERRORS, type UnpaidCode } from '../../../src/errors.ts'
import { resultJsonOf } from '../../../src/payments/ports/result-json.ts'
import type { Call, Quote, RawPayment, Sale, Sell, Sold } from '../../../src/payments/ports/sale.ts'

export const SETTLEMENT: SettleResponse = {
  success: true,
  transaction: `0x${'ab'.repeat(32)}`,
  network: 'eip155:8453',
  payer: `0x${'12'.repeat(20)}`,
}

/** A quote that stands for the real one: terms by skill, error by code. */
export function quoteFor(skill: Skill, items = 1): Quote {
  const required = (code: UnpaidCode): PaymentRequired => ({
    x402Version: 2,
    error: `${code}: ${ERRORS[code].detail}`,
    resource: { url: `https://checks.example/api/validate/${skill.id}`, description: skill.title },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:8453',
        asset: `0x${'33'.repeat(20)}`,
        amount: String(1_000 * items),
        payTo: `0x${'44'.repeat(20)}`,
        maxTimeoutSeconds: 120,
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
  })
  return { required, header: (code) => encodePaymentRequiredHeader(required(code)) }
}

export interface ScriptedSale {
  readonly sell: Sell
  /** Every call that reached the door to money, in order. */
  readonly calls: { readonly call: Call; readonly rawPayment: RawPayment }[]
  /** How often a reply was reported as delivered. */
  delivered: number
  /** What to answer a call with a payment; a call without one is always quoted. */
  answer: (sold: Sold, call: Call) => Sale | Promise<Sale>
}

/** A door to money that does what the test says, and judges values by the real checks. */
export function scriptedSale(): ScriptedSale {
  const script: ScriptedSale = {
    calls: [],
    delivered: 0,
    answer: (sold) => sold,
    async sell(call, rawPayment) {
      if (call.kind !== 'value') throw new Error('REST sells values only')
      script.calls.push({ call, rawPayment })
      const quote = quoteFor(call.items[0].skill, call.items.length)
      if (rawPayment.kind === 'none') return { kind: 'unpaid', code: 'payment_required', quote }
      const verdict = call.items[0].skill.check(call.items[0].value)
      const sold: Sold = {
        kind: 'sold',
        verdicts: [verdict],
        json: resultJsonOf('single', () => [verdict]),
        settlement: SETTLEMENT,
        authorization: `payment ${script.calls.length}`,
        replayed: false,
        rulesetChanged: false,
        delivered: () => {
          script.delivered++
        },
      }
      return script.answer(sold, call)
    },
  }
  return script
}
