import { isDeepStrictEqual } from 'node:util'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import type { Side } from './bent-payments.ts'
import { DIFFERENCES, EVERYWHERE } from './differences.ts'
import { SCRIPTS } from './scripted-requests.ts'
import { startStockService } from './stock-service.ts'

let service: TestService
let stock: Awaited<ReturnType<typeof startStockService>>
const offers = new Map<CheckType, PaymentRequired>()

beforeAll(async () => {
  // The middleware warns of each header it cannot read, with a stack.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  service = await startTestService()
  for (const type of CHECK_TYPES) {
    const response = await service.check(type, 'x')
    offers.set(type, decodePaymentRequiredHeader(response.headers.get('PAYMENT-REQUIRED') ?? ''))
  }
  stock = await startStockService({ facilitatorUrl: service.sandbox.facilitatorUrl, offers })
})
afterAll(async () => {
  await stock.stop()
  await service.stop()
  vi.restoreAllMocks()
})

const side = async (url: string): Promise<Side> => ({
  url,
  offer: offers.get('iban') as PaymentRequired,
  buyer: await service.newBuyer(),
})

/** What is compared of one answer. */
interface Digest {
  readonly status: number
  readonly 'PAYMENT-REQUIRED': Readonly<Record<string, unknown>> | undefined
  readonly 'PAYMENT-RESPONSE': Readonly<Record<string, unknown>> | undefined
  readonly body: string
}

async function digest(response: Response, { buyer }: Side): Promise<Digest> {
  const required = response.headers.get('PAYMENT-REQUIRED')
  const receipt = response.headers.get('PAYMENT-RESPONSE')
  return {
    status: response.status,
    'PAYMENT-REQUIRED': required === null ? undefined : offered(decodePaymentRequiredHeader(required)),
    'PAYMENT-RESPONSE':
      receipt === null ? undefined : comparable(decodePaymentResponseHeader(receipt), buyer.address),
    body: await response.text(),
  }
}

const offered = ({ error: _, ...rest }: PaymentRequired) => byExtension(rest)

/** Each extension is compared for itself. */
function byExtension({ extensions, ...rest }: object & { extensions?: object }): Record<string, unknown> {
  const named = Object.entries(extensions ?? {}).map(([name, value]) => [`extensions.${name}`, value])
  return { ...rest, ...Object.fromEntries(named) }
}

/** The two services have buyers and transactions of their own. */
function comparable(receipt: object, buyer: string): Record<string, unknown> {
  const members = Object.entries(byExtension(receipt)).map(([name, value]) => {
    if (name === 'payer' && String(value).toLowerCase() === buyer.toLowerCase()) return [name, 'the buyer']
    if (name === 'transaction' && /^0x[0-9a-f]{64}$/.test(String(value))) return [name, 'a hash']
    return [name, value]
  })
  return Object.fromEntries(members)
}

/** Each difference in a few words, the reference first; equal answers have none. */
function differencesOf(reference: Digest, ours: Digest): string[] {
  const found: string[] = []
  if (reference.status !== ours.status) found.push(`status ${reference.status}, ours ${ours.status}`)
  for (const header of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'] as const) {
    const [theirs, own] = [reference[header], ours[header]]
    if (theirs === undefined || own === undefined) {
      if (theirs !== undefined) found.push(`${header}, ours none`)
      if (own !== undefined) found.push(`no ${header}, ours one`)
      continue
    }
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(own)])) {
      if (!isDeepStrictEqual(theirs[name], own[name])) found.push(`${header} ${name}`)
    }
  }
  // What an error says in its body is each one's own.
  if (reference.status === 200 && ours.status === 200 && reference.body !== ours.body) found.push('body')
  return found
}

/** What is expected of an answer because of its class, where both have the header that shows it. */
function expectedOf(reference: Digest, ours: Digest): string[] {
  const both = (header: 'PAYMENT-REQUIRED' | 'PAYMENT-RESPONSE') =>
    reference[header] !== undefined && ours[header] !== undefined
  if (ours.status === 200 && both('PAYMENT-RESPONSE')) return [EVERYWHERE.sale.found, EVERYWHERE.salt.found]
  if (ours.status !== 402 || !both('PAYMENT-REQUIRED')) return []
  const isRefusal = JSON.parse(ours.body).code !== 'payment_required'
  return isRefusal ? [EVERYWHERE.refusal.found, EVERYWHERE.identifier.found] : [EVERYWHERE.quote.found]
}

describe('the same requests to the reference middleware and to this service differ as listed:', () => {
  test.each(Object.entries(SCRIPTS))('%s', async (name, script) => {
    const [reference, own] = [await side(stock.url), await side(service.url)]
    const theirs = await Promise.all((await script(reference)).map((each) => digest(each, reference)))
    const ours = await Promise.all((await script(own)).map((each) => digest(each, own)))
    expect(ours).toHaveLength(theirs.length)
    const numbered = (find: (reference: Digest, ours: Digest) => string[]) =>
      theirs.flatMap((each, index) => {
        const at = theirs.length === 1 ? '' : `${index + 1}: `
        return find(each, ours[index] as Digest).map((text) => at + text)
      })
    const listed = [...numbered(expectedOf), ...(DIFFERENCES[name]?.found ?? [])]
    expect(numbered(differencesOf).sort()).toEqual(listed.sort())
  })

  test('and no difference is listed for a request that is never made', () => {
    expect(Object.keys(DIFFERENCES).filter((name) => !(name in SCRIPTS))).toEqual([])
  })
})
