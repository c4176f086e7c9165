/** Settling one payment object again, as the core does, and what the log may say of a fault. */
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { FacilitatorFault, symptomOf } from '../../../src/payments/facilitators/facilitator-fault.ts'
import { symptomOfReason } from '../../../src/payments/facilitators/reason-words.ts'
import { settleDeadlines } from '../../../src/payments/facilitators/settle-deadlines.ts'
import { settleOnce } from '../../../src/payments/facilitators/settle-once.ts'

const REQUIREMENTS = { amount: '1' } as PaymentRequirements
const payment = () => ({ x402Version: 2 }) as PaymentPayload
const PENDING = { success: false, errorReason: 'settlement_pending', transaction: '0x1' }
const REFUSED = { success: false, errorReason: 'insufficient_funds', transaction: '' }
const SETTLED = { success: true, transaction: '0x2' }
const FAULT = new FacilitatorFault('not_sent', 'status 403', { answered: true, symptom: { status: 403 } })

describe('a settlement that is repeated', () => {
  /** The outcome of each attempt, where the facilitator answers with these. */
  async function outcomes(answers: readonly (object | Error)[], payload = payment()) {
    const left = [...answers]
    const asked: unknown[] = []
    const settle = settleOnce({
      settle: async (...args: unknown[]) => {
        asked.push(args)
        const next = left.shift()
        if (next instanceof Error) throw next
        return next
      },
    } as never)
    const seen = []
    for (const _ of answers) seen.push(await settle(payload, REQUIREMENTS).catch((error: unknown) => error))
    expect(asked).toEqual(answers.map(() => [payload, REQUIREMENTS]))
    return seen
  }
  const unknown = expect.objectContaining({ effect: 'unknown', answered: false, cause: FAULT })

  test.each<[string, readonly (object | Error)[], readonly unknown[]]>([
    ['answers with success', [PENDING, SETTLED], [PENDING, SETTLED]],
    ['is pending after a refusal', [PENDING, REFUSED, REFUSED], [PENDING, PENDING, PENDING]],
    ['is pending after a fault', [PENDING, FAULT, REFUSED], [PENDING, PENDING, PENDING]],
    ['is unknown after two faults', [FAULT, FAULT, FAULT], [FAULT, unknown, unknown]],
    ['is what it is answered with after a fault', [FAULT, REFUSED, SETTLED], [FAULT, REFUSED, SETTLED]],
    ['of a success that fails is unknown', [SETTLED, FAULT], [SETTLED, unknown]],
  ])('%s', async (_what, answers, expected) => {
    expect(await outcomes(answers)).toEqual(expected)
  })

  test('is another one for another object', async () => {
    const settle = settleOnce({ settle: async () => Promise.reject(FAULT) } as never)
    for (const payload of [payment(), payment()])
      await expect(settle(payload, REQUIREMENTS)).rejects.toBe(FAULT)
  })

  test('shares the deadline of its first attempt', () => {
    const deadlineOf = settleDeadlines(100)
    const [one, other] = [payment(), payment()]
    const deadlines = [deadlineOf(one, 5)]
    deadlines.push(deadlineOf(one, 50), deadlineOf(other, 50))
    deadlines.push(deadlineOf(one, 500), deadlineOf(other, 500))
    expect(deadlines).toEqual([105, 105, 150, 105, 150])
  })
})

describe('the symptom', () => {
  const withCode = (code: unknown) => Object.assign(new Error('failed'), { code })

  test.each<[string, unknown, object]>([
    ['of a fault is its own', FAULT, { status: 403 }],
    [
      'of a fault that has another cause',
      new FacilitatorFault('unknown', 'x', { cause: FAULT }),
      { status: 403 },
    ],
    [
      'of a fault that names both',
      new FacilitatorFault('unknown', 'x', { cause: FAULT, symptom: { code: 'y' } }),
      { code: 'y' },
    ],
    ['of a chain that is away', new ChainUnavailable('down'), { code: 'chain_unavailable' }],
    ['of the system', withCode('ECONNREFUSED'), { code: 'ECONNREFUSED' }],
    ['of two characters', withCode('E2'), { code: 'E2' }],
    ['of 61 characters', withCode('E'.repeat(61)), { code: 'E'.repeat(61) }],
    ['that is longer is not said', withCode('E'.repeat(62)), {}],
    ['that is shorter is not said', withCode('E'), {}],
    ['in small letters is not said', withCode('Econnrefused'), {}],
    ['with other text around it is not said', withCode('x ECONNREFUSED'), {}],
    ['with text behind it is not said', withCode('ECONNREFUSED x'), {}],
    ['that begins with a digit is not said', withCode('2E'), {}],
    ['that is a number is not said', withCode(7), {}],
    ['of what is no error is not said', { code: 'ECONNREFUSED' }, {}],
    ['of nothing is not said', undefined, {}],
  ])('%s', (_what, error, symptom) => {
    expect(symptomOf(error)).toEqual(symptom)
  })

  test.each<[unknown, object]>([
    [undefined, {}],
    [null, {}],
    ['', {}],
    ['insufficient_funds', { code: 'insufficient_funds' }],
    ['invalid_exact_evm_signature', { code: 'invalid_exact_evm_signature' }],
    ['insufficient_funds_bob', { code: 'other_reason' }],
    ['Insufficient_funds', { code: 'other_reason' }],
    ['insufficient__funds', { code: 'other_reason' }],
    [Array(12).fill('invalid').join('_'), { code: Array(12).fill('invalid').join('_') }],
    [Array(13).fill('invalid').join('_'), { code: 'other_reason' }],
    [7, { code: 'other_reason' }],
    [{}, { code: 'other_reason' }],
  ])('of the reason %j is %j', (reason, symptom) => {
    expect(symptomOfReason(reason)).toEqual(symptom)
  })
})
