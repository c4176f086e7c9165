import fc from 'fast-check'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { CHECK_TYPES, type Verdict } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differingMember } from '../../src/payments/authorization/accepts-terms.ts'
import { decodePayment, type Payment, readText } from '../../src/payments/authorization/decode-payment.ts'
import { judgeFault, judgeSettlement } from '../../src/payments/sale/table/settle-outcome.ts'
import { seal, unseal } from '../../src/payments/secrets/seal.ts'
import { type SaleBench, startSaleBench } from '../support/sale-bench.ts'

let bench: SaleBench
let valid: Record<string, unknown>
let payment: Payment
beforeAll(async () => {
  bench = await startSaleBench()
  valid = (await (await bench.buyer(0n)).sign()).payload as unknown as Record<string, unknown>
  const decoded = decodePayment(valid, bench.layer.terms)
  if (decoded.kind !== 'payment') throw new Error(decoded.code)
  payment = decoded.payment
})
afterAll(() => bench.stop())

/** Every place of a JSON value, as the path to it. */
function places(json: unknown, path: readonly string[] = []): string[][] {
  if (typeof json !== 'object' || json === null) return [[...path]]
  return Object.entries(json).flatMap(([name, member]) => [
    [...path, name],
    ...places(member, [...path, name]),
  ])
}

function replaced(json: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  const members = (json ?? {}) as Record<string, unknown>
  return { ...members, [name]: replaced(members[name], rest, by) }
}

describe('decoding a payment', () => {
  test('of a mutated payment gives that very payment, or refuses it, and never throws', () => {
    const all = places(valid)
    const quote = bench.layer.quotes.single(bench.call().items[0].skill, 'rest')
    const mutation = fc.tuple(
      fc.constantFrom(...all),
      fc.oneof(
        fc.jsonValue(),
        fc.string(),
        fc.constantFrom('0x', '0X', '', '1e3', '1000.0', '+1000', '١٠٠٠', 1000, -1, null, [], {}),
        fc.bigInt().map(String),
      ),
    )
    fc.assert(
      fc.property(fc.array(mutation, { maxLength: 3 }), (mutations) => {
        const mutated = mutations.reduce<unknown>((json, [place, by]) => replaced(json, place, by), valid)
        const decoded = decodePayment(mutated, bench.layer.terms)
        if (decoded.kind === 'unpaid') return decoded.code.startsWith('payment_')
        if (differingMember(decoded.payment, bench.layer.context.terms, { items: 1 }, quote) !== null)
          return true
        const { authorization } = decoded.payment
        // What was accepted is in its one form, and made out to us.
        expect(authorization.to).toBe(payment.authorization.to)
        expect(authorization.value).toBe(1000n)
        expect(authorization.from).toMatch(/^0x[0-9a-f]{40}$/)
        expect(authorization.nonce).toMatch(/^0x(?!0{64})[0-9a-f]{64}$/)
        expect(decoded.payment.signature).toMatch(/^0x(?:[0-9a-f]{2})+$/)
        return true
      }),
      { numRuns: 500, seed: 8453 },
    )
  })

  test('of any spelling of one payment gives one key', () => {
    const hexCase = (text: string, picks: readonly boolean[]) =>
      text.replace(/[a-f](?=[^x]*$)/gi, (digit, at: number) =>
        picks[at % picks.length] ? digit.toUpperCase() : digit.toLowerCase(),
      )
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
        fc.dictionary(fc.string({ minLength: 12 }), fc.jsonValue()),
        fc.integer({ min: 0, max: 4 }),
        (picks, junk, indent) => {
          const { authorization } = valid.payload as { authorization: Record<string, string> }
          const spelled = { ...authorization, ...junk }
          for (const name of ['from', 'to', 'nonce'])
            spelled[name] = hexCase(authorization[name] as string, picks)
          const text = JSON.stringify(replaced(valid, ['payload', 'authorization'], spelled), null, indent)
          const base64 = Buffer.from(text).toString('base64')
          for (const form of [base64, base64.replace(/=+$/, '')]) {
            const decoded = decodePayment(readText(form), bench.layer.terms)
            expect(decoded).toMatchObject({
              kind: 'payment',
              payment: { authorization: payment.authorization },
            })
          }
        },
      ),
      { numRuns: 200, seed: 8453 },
    )
  })

  test('of any text or JSON never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.json().map((json) => btoa(unescape(encodeURIComponent(json)))),
        ),
        (text) => decodePayment(readText(text), bench.layer.terms).kind === 'unpaid',
      ),
      { numRuns: 500, seed: 8453 },
    )
  })
})

describe('judging what a facilitator says', () => {
  const HASH = `0x${'ab'.repeat(32)}`
  test('never finds a settlement in foreign data', () => {
    const member = (right: unknown) => fc.oneof(fc.constant(right), fc.jsonValue(), fc.constant(undefined))
    const reply = fc.oneof(
      fc.jsonValue(),
      fc.record({
        success: member(true),
        transaction: member(HASH),
        network: member('eip155:8453'),
        payer: member('PAYER'),
        amount: member('1000'),
        errorReason: fc.oneof(
          fc.constantFrom('insufficient_funds', 'settlement_pending', '__proto__'),
          fc.string(),
        ),
      }),
    )
    fc.assert(
      fc.property(reply, (raw) => {
        const json =
          typeof raw === 'object' && raw !== null && 'payer' in raw && raw.payer === 'PAYER'
            ? { ...raw, payer: payment.authorization.from }
            : raw
        const outcome = judgeSettlement(
          json as never,
          bench.layer.terms.requirements,
          payment.authorization.from,
        )
        const { success, transaction, network, payer, amount } = (json ?? {}) as Record<string, unknown>
        if (outcome.kind === 'settled') {
          expect(success).toBe(true)
          expect(String(transaction).toLowerCase()).toMatch(/^0x[0-9a-f]{64}$/)
          expect(network).toBe('eip155:8453')
          expect([undefined, null, payment.authorization.from]).toContain(payer)
          expect([undefined, null, '1000']).toContain(amount)
        }
        if (outcome.kind === 'refused') {
          expect(success).toBe(false)
          expect([undefined, null, '']).toContain(transaction)
        }
      }),
      { numRuns: 1_000, seed: 8453 },
    )
  })

  test('takes anything thrown for a doubt, unless it says that nothing was sent', () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => judgeFault(thrown).kind === 'doubtful'),
      { numRuns: 200, seed: 8453 },
    )
  })
})

test('every verdict fits its frame, beside the longest pending order of a surface: of any value, and of the longest address', () => {
  const longest = `a@${`${'b'.repeat(60)}.`.repeat(4)}${'c'.repeat(4)}.pl`
  const pendingOrder = JSON.stringify({
    contextId: 'x'.repeat(128),
    channels: true,
    list: { type: 'email', items: 100 },
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...CHECK_TYPES),
      fc.oneof(fc.constant(longest), fc.string({ unit: 'binary', maxLength: 512 })),
      (type, value) => {
        const verdict = CHECKS[type](value)
        const content = {
          ...({ shape: 'single', items: 1, type, skillId: type } as const),
          ruleset: verdict.details.ruleset,
          fingerprint: Buffer.alloc(32, 3),
          requestDigest: Buffer.alloc(32, 4),
          pendingOrder,
        }
        const sizes = [[verdict], Array.from({ length: 100 }, () => verdict)].map(
          (verdicts) =>
            seal(bench.keys, pendingOrder, { ...content, verdicts: verdicts as [Verdict] }).length,
        )
        expect(sizes).toEqual([3_612, 206_364])
      },
    ),
    { numRuns: 300, seed: 8453, examples: [['email', longest]] },
  )
})

test('a sealed text opens whole with its own id only', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.string({ maxLength: 128 }), (id, other, pendingOrder) => {
      const content = {
        ...({ shape: 'single', items: 1, type: 'iban', skillId: 'iban' } as const),
        ruleset: 'iban:swift-r102',
        verdicts: [bench.call().items[0].skill.check(pendingOrder)] as const,
        fingerprint: Buffer.alloc(32, 3),
        requestDigest: Buffer.alloc(32, 4),
        pendingOrder: Buffer.byteLength(JSON.stringify(pendingOrder)) > 512 ? '' : pendingOrder,
      }
      const blob = seal(bench.keys, id, content)
      expect(unseal(bench.keys, id, blob)).toEqual(content)
      fc.pre(other !== id)
      expect(unseal(bench.keys, other, blob)).toBeNull()
    }),
    { numRuns: 100, seed: 8453 },
  )
})
