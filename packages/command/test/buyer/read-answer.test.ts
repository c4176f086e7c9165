/** Answers to a payment that are no answers: the payment may have been made, and nothing was bought. */
import { once } from 'node:events'
import { encodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentPayload } from '@x402/core/types'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { expect, onTestFinished, test } from 'vitest'
import { fakePayment } from '../../../../test/support/a2a-double.ts'
import { freshAccount, termsFor } from '../../../../test/support/chain-payments.ts'
import { sendJson, startOddServer } from '../../../../test/support/odd-server.ts'
import { createBuyer } from '../../src/buyer/buyer.ts'
import { createListBuyer } from '../../src/buyer/list-buyer.ts'
import type { Surface } from '../../src/buyer/open-client.ts'
import type { Wallet } from '../../src/buyer/wallet.ts'

const wallet: Wallet = { sign: async (required) => fakePayment(required) as PaymentPayload }
const AT_ONCE = { sends: 2, sleep: async () => {} }
const MEGABYTE = 1_048_576
const IBAN = 'GB82 WEST 1234 5698 7654 32'
const VERDICT = CHECKS.iban(IBAN)
const RECEIPT = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:8453' }
const required = {
  x402Version: 2,
  resource: { url: 'https://x.example/' },
  accepts: [termsFor(freshAccount().address)],
}

/** Offers terms, and answers a payment with this body and receipt. */
async function serviceThatSays(body: unknown, receipt: unknown): Promise<string> {
  const server = await startOddServer()
  onTestFinished(server.stop)
  server.behave((response, request, socket) => {
    const isMcp = request.path === '/mcp'
    const isPaid = isMcp ? request.body.includes('x402/payment') : 'payment-signature' in request.headers
    if (isMcp) {
      const _meta = { 'x402/payment-response': receipt }
      const result = isPaid
        ? { structuredContent: body, _meta }
        : { isError: true, structuredContent: required }
      return sendJson({ jsonrpc: '2.0', id: 1, result })(response, request, socket)
    }
    const header = Buffer.from(JSON.stringify(receipt)).toString('base64')
    if (isPaid) response.setHeader('PAYMENT-RESPONSE', header)
    else response.setHeader('PAYMENT-REQUIRED', encodePaymentRequiredHeader(required))
    sendJson(body, isPaid ? 200 : 402)(response, request, socket)
  })
  return server.url
}

const NO_VERDICTS: readonly unknown[] = [
  null,
  7,
  [],
  {},
  { ...VERDICT, valid: 'yes' },
  { ...VERDICT, normalized: { toString: 1 } },
  { ...VERDICT, reason: undefined },
  { ...VERDICT, details: null },
  { ...VERDICT, details: { code: 1 } },
  ...[
    { warnings: 5 },
    { warnings: [5] },
    { suspects: 'x' },
    { suspects: [{}] },
    { position: '1' },
    { hint: {} },
    { length: null },
    { suggestedDomain: [] },
  ].map((change) => ({ ...VERDICT, details: { ...VERDICT.details, ...change } })),
]
const NO_RECEIPTS: readonly unknown[] = [null, 7, [], {}, { ...RECEIPT, transaction: null }]

const CASES = [
  ...NO_VERDICTS.map((body) => ({ body, receipt: RECEIPT as unknown })),
  ...NO_RECEIPTS.map((receipt) => ({ body: VERDICT as unknown, receipt })),
].map((each, index) => ({ ...each, index }))

test.each(
  (['rest', 'mcp'] as const).flatMap((surface: Surface) => CASES.map((each) => ({ ...each, surface }))),
)('over $surface, answer $index leaves the payment in doubt', async ({ surface, body, receipt }) => {
  const url = await serviceThatSays(body, receipt)
  const outcome = await createBuyer({ url, type: 'iban', surface, maxAmount: 1_000n }, AT_ONCE).buy(
    IBAN,
    wallet,
  )
  expect(outcome.kind).toBe('in_doubt')
})

test.each(
  NO_VERDICTS.map((result, index) => ({ result, index })),
)('a list with result $index leaves the payment in doubt', async ({ result }) => {
  const url = await serviceThatSays({ results: [VERDICT, result] }, RECEIPT)
  const buyer = createListBuyer({ url, type: 'iban', maxAmount: 1_000n }, AT_ONCE)
  const item = { type: 'iban', value: IBAN } as const
  const reply = await buyer.send([item, item], fakePayment(required as never) as PaymentPayload)
  expect(reply.kind).toBe('in_doubt')
})

test.each([
  [1, 'in_doubt'],
  [2, 'sold'],
  [3, 'in_doubt'],
])('a list of two with %i results: %s', async (count, kind) => {
  const url = await serviceThatSays({ results: Array.from({ length: count }, () => VERDICT) }, RECEIPT)
  const buyer = createListBuyer({ url, type: 'iban', maxAmount: 1_000n }, AT_ONCE)
  const item = { type: 'iban', value: IBAN } as const
  const reply = await buyer.send([item, item], fakePayment(required as never) as PaymentPayload)
  expect(reply.kind).toBe(kind)
})

test.each([
  'rest',
  'mcp',
  'a2a',
] as const)('over %s, an endless answer is not read to its end', async (surface) => {
  const server = await startOddServer()
  onTestFinished(server.stop)
  let sent = 0
  server.behave(async (response) => {
    // Once for all writes: the listeners of a race that another event wins stay until this one comes.
    const closed = once(response, 'close')
    const isOpen = () => !response.destroyed && sent < 256
    while (isOpen()) {
      sent += 1
      if (!response.write('x'.repeat(MEGABYTE))) await Promise.race([once(response, 'drain'), closed])
    }
    response.end()
  })
  const buyer = createBuyer({ url: server.url, type: 'iban', surface, maxAmount: 1_000n }, AT_ONCE)
  expect(await buyer.terms(IBAN)).toMatchObject({ kind: 'unreachable' })
  expect(sent).toBeLessThan(128)
})

test.each(['rest', 'mcp'] as const)('over %s, a verdict with a receipt is bought', async (surface) => {
  const url = await serviceThatSays(VERDICT, RECEIPT)
  const outcome = await createBuyer({ url, type: 'iban', surface, maxAmount: 1_000n }, AT_ONCE).buy(
    IBAN,
    wallet,
  )
  expect(outcome).toMatchObject({ kind: 'bought', verdict: VERDICT, settlement: RECEIPT })
})
