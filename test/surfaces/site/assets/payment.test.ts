/** What the page takes an answer for, also if it comes from something in front of the service. */
import { encodePaymentResponseHeader } from '@x402/core/http'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { afterEach, expect, it, vi } from 'vitest'
import { BASE } from '../../../../src/payments/networks/base.ts'
import { asset } from './asset.ts'

interface Payment {
  send(request: object): Promise<{ kind: string; seconds?: number }>
  clockFault(quote: object): string | null
}
const { send, clockFault } = await asset<Payment>('payment.js')

const VERDICT = JSON.stringify(CHECKS.iban('DE89370400440532013000'))
const RECEIPT = {
  'PAYMENT-RESPONSE': encodePaymentResponseHeader({
    success: true,
    transaction: `0x${'ab'.repeat(32)}`,
    network: BASE.id,
  }),
}

afterEach(() => vi.unstubAllGlobals())
const answerTo = (body: string, init: ResponseInit) => {
  vi.stubGlobal('fetch', async () => new Response(body, init))
  return send({ endpoint: '/api/validate/iban', body: '{}', header: 'signed' })
}

it('a verdict with its receipt is what was sold', async () => {
  expect(await answerTo(VERDICT, { headers: RECEIPT })).toMatchObject({ kind: 'sold', replayed: false })
})

it('an answer whose receipt was taken away on its way is shown all the same', async () => {
  expect(await answerTo(VERDICT, {})).toMatchObject({ kind: 'sold', receipt: null })
})

it.each([
  '<html>Log in</html>',
  'null',
  '{}',
  VERDICT.slice(0, -2),
])('a 200 that is no result is no answer, so the same payment is sent again: %s', async (body) => {
  expect(await answerTo(body, {})).toMatchObject({ kind: 'again', problem: null })
})

it('what is to be repeated unchanged is not given up', async () => {
  const problem = { code: 'too_many_requests', title: '', detail: '', charged: false, retry: 'unchanged' }
  const answer = await answerTo(JSON.stringify(problem), { status: 429, headers: { 'Retry-After': '7' } })
  expect(answer).toMatchObject({ kind: 'again', problem, seconds: 7 })
})

it.each([
  ['0', 1],
  ['-5', 1],
  ['31536000', 30],
  ['Fri, 20 Nov 2026 12:00:00 GMT', 2],
  ['soon', 2],
])('waits a bounded time whatever Retry-After says: %s', async (retryAfter, seconds) => {
  const init = { status: 503, headers: { 'Retry-After': retryAfter } }
  expect(await answerTo('', init)).toMatchObject({ kind: 'again', seconds })
})

it.each([
  [0, true],
  [-60, true],
  [119, true],
  [-62, false],
  [120, false],
  [-30 * 86_400, false],
])('signs beside a service whose clock is %i s ahead: %s', (seconds, signs) => {
  const fault = clockFault({ terms: { maxTimeoutSeconds: 120 }, serverAhead: seconds * 1_000 })
  expect(fault === null).toBe(signs)
  if (fault !== null) expect(fault).toMatch(/says \S+Z, that of the service \S+Z\. Nothing was signed/)
})
