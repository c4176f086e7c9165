import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import {
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
} from '@x402/core/http'
import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { BASE } from '../../src/payments/networks/base.ts'
import { USDC } from '../../src/payments/networks/usdc.ts'
import { listenOnLoopback } from './loopback.ts'

const PRICE = 1_000

/** The answer to a payment; without a code it is a 402 that gives no reason. */
export interface Refused {
  readonly status: number
  readonly code?: string
  readonly detail?: string
}

/** A service over REST that checks IBANs, sells to every buyer that pays by its terms, and refuses as the test says. */
export async function startRestDouble() {
  const double = {
    payTo: `0x${'1'.repeat(40)}`,
    /** Answers to the payments to come, in order; later ones are judged by their terms. */
    refusals: [] as Refused[],
    /** How often the terms were asked for. */
    asked: 0,
    /** Whether answers tell the time. */
    tellsTime: false,
  }
  const requiredFor = (items: number): PaymentRequired => ({
    x402Version: 2,
    error: 'Payment required',
    resource: { url: 'http://localhost/' },
    accepts: [
      {
        scheme: 'exact',
        network: BASE.id,
        asset: USDC,
        amount: String(items * PRICE),
        payTo: double.payTo,
        maxTimeoutSeconds: 60,
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
  })
  const judge = (payload: PaymentPayload): Refused | undefined =>
    double.refusals.shift() ??
    (payload.accepted.payTo === double.payTo ? undefined : { status: 402, code: 'payment_terms_mismatch' })

  const server = createServer(async (req, res) => {
    res.sendDate = double.tellsTime
    const { value, values, items } = (await json(req)) as {
      value?: string
      values?: string[]
      items?: { value: string }[]
    }
    const list = values ?? items?.map((item) => item.value)
    const terms = { 'PAYMENT-REQUIRED': encodePaymentRequiredHeader(requiredFor(list?.length ?? 1)) }
    const signature = req.headers['payment-signature']
    if (signature === undefined) {
      double.asked += 1
      return res.writeHead(402, terms).end(JSON.stringify({ code: 'payment_required', detail: '' }))
    }
    const refused = judge(decodePaymentSignatureHeader(String(signature)))
    if (refused !== undefined) {
      const { status, code, detail = `In words: ${code}.` } = refused
      const body = code === undefined ? {} : { code, detail }
      return res.writeHead(status, status === 402 ? terms : {}).end(JSON.stringify(body))
    }
    const receipt: SettleResponse = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: BASE.id }
    const results = list?.map((each) => CHECKS.iban(each))
    return res
      .writeHead(200, { 'PAYMENT-RESPONSE': encodePaymentResponseHeader(receipt) })
      .end(JSON.stringify(results === undefined ? CHECKS.iban(value ?? '') : { results }))
  })
  const { url, stop } = await listenOnLoopback(server)
  return Object.assign(double, { url, stop })
}
