/** What purchases and their repeats leave of the limit of unpaid requests, in any order and side by side. */
import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unpaidLimiter } from '../../../src/http/limits/unpaid-limiter.ts'
import { resultJsonOf } from '../../../src/payments/ports/result-json.ts'
import type { Sale, Sell } from '../../../src/payments/ports/sale.ts'
import { createCounter } from '../../../src/surfaces/call/counter.ts'
import { skillExecutors } from '../../../src/surfaces/call/skill-executor.ts'
import { requestFrom } from '../../http/http-harness.ts'
import { quoteFor } from '../../support/a2a-double.ts'
import { realRegistry } from '../../support/registry.ts'

const skill = realRegistry().all[0]
const MOST = 1_000

/** How a payment comes out: charged, answered from another one, in doubt first, or refused. */
type Course = 'sold' | 'replayed' | 'in_doubt' | 'refused'

interface Purchase {
  readonly course: Course
  /** How often the payment is sent again after its answer. */
  readonly repeats: number
  /** False for an answer whose client leaves before it has it all. */
  readonly delivered: boolean
}

function shop() {
  const limiter = unpaidLimiter({ perMinute: MOST, trustedProxies: 0 })
  const tries = new Map<string, number>()
  const quote = quoteFor(skill)
  const sell: Sell = async (_call, rawPayment): Promise<Sale> => {
    await Promise.resolve()
    if (rawPayment.kind !== 'text') return { kind: 'unpaid', code: 'payment_required', quote }
    const [course, name = ''] = rawPayment.text.split(' ')
    const tried = tries.get(name) ?? 0
    tries.set(name, tried + 1)
    if (course === 'refused') return { kind: 'unpaid', code: 'payment_refused', quote }
    if (course === 'in_doubt' && tried === 0) return { kind: 'declined', code: 'payment_in_doubt' }
    const verdicts = [skill.check('x')] as const
    return {
      kind: 'sold',
      verdicts,
      json: resultJsonOf('single', () => verdicts),
      settlement: { success: true, transaction: '0x', network: 'eip155:8453' },
      authorization: name,
      replayed: course === 'replayed' || tried > 0,
      rulesetChanged: false,
      delivered: () => {},
    }
  }
  const counter = createCounter({ sell, limiter, log: { error: () => {} } })
  const req = requestFrom('192.0.2.1')
  const book = { single: () => quote, of: async () => quote }
  const [executor] = skillExecutors({ registry: realRegistry(), quote: book, counter }).skills
  const send = async (input: unknown, text?: string) => {
    const payment = text === undefined ? ({ kind: 'none' } as const) : ({ kind: 'text', text } as const)
    const res = { req } as ServerResponse
    return executor.execute({ json: input }, { payment, res, surface: 'rest' })
  }
  return {
    limiter,
    ask: () => send({ value: 'x' }),
    junk: () => send({ other: 1 }),
    async pay(course: Course, name: string, delivered: boolean) {
      const reply = await send({ value: 'x' }, `${course} ${name}`)
      if (reply.kind === 'sold' && delivered) reply.delivered()
      return reply
    },
    /** How many unpaid requests count: so many more are let in until the limit. */
    counted() {
      let left = 0
      while (limiter.blocked(req) === undefined) {
        limiter.hit(req)
        left++
      }
      return MOST - left
    },
  }
}

const purchases = fc.array(
  fc.record<Purchase>({
    course: fc.constantFrom<Course>('sold', 'replayed', 'in_doubt', 'refused'),
    repeats: fc.nat(4),
    delivered: fc.boolean(),
  }),
  { maxLength: 12 },
)

/** Asks, pays, and pays again until there is an answer; then repeats the payment. */
async function buy(shop_: ReturnType<typeof shop>, { course, repeats, delivered }: Purchase, name: string) {
  await shop_.ask()
  const first = await shop_.pay(course, name, delivered)
  if (first.kind === 'declined') await shop_.pay(course, name, delivered)
  if (course === 'refused') return
  for (let n = 0; n < repeats; n++) await shop_.pay(course, name, delivered)
}

test('purchases whose answers arrive leave it where it stood, in any mix and side by side', async () => {
  await fc.assert(
    fc.asyncProperty(purchases, fc.nat(5), async (bought, junk) => {
      const each = shop()
      for (let n = 0; n < junk; n++) await each.junk()
      const good = bought.map((one) => ({ ...one, delivered: true }))
      await Promise.all(good.map((one, at) => buy(each, one, `n${at}`)))
      // A refused payment counts, and so does the quote before it.
      const refused = good.filter(({ course }) => course === 'refused').length
      const counted = each.counted()
      each.limiter.close()
      expect(counted).toBe(junk + 2 * refused)
    }),
  )
})

test('repeats never take it below what the same buyer raised', async () => {
  await fc.assert(
    fc.asyncProperty(purchases, fc.nat(5), fc.nat(8), async (bought, junk, asks) => {
      const each = shop()
      for (let n = 0; n < junk; n++) await each.junk()
      for (let n = 0; n < asks; n++) await each.ask()
      await Promise.all(bought.map((one, at) => buy(each, one, `n${at}`)))
      const answered = bought.filter(({ course, delivered }) => course !== 'refused' && delivered).length
      const refused = bought.filter(({ course }) => course === 'refused').length
      const counted = each.counted()
      each.limiter.close()
      expect(counted).toBe(junk + asks + bought.length + refused - answered)
    }),
  )
})

test('one authorization sent for an hour takes back one quote', async () => {
  const each = shop()
  for (let n = 0; n < 50; n++) {
    await each.ask()
    await each.pay('sold', 'the same', true)
  }
  expect(each.counted()).toBe(49)
  each.limiter.close()
})
