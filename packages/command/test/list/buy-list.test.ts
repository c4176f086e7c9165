/** The purchase of a list against a model of the service, in which every payment can go wrong in every way. */
import { join } from 'node:path'
import type { PaymentPayload, PaymentRequired, PaymentRequirements, SettleResponse } from '@x402/core/types'
import fc from 'fast-check'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { CheckType } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cellsOf, type InputRow } from '../../../../src/lists/input-row.ts'
import { checkedOf, type RowResult } from '../../../../src/lists/results.ts'
import { type ScratchDir, scratchDir } from '../../../../test/support/service-process.ts'
import type { ListBuyer, TypedValue } from '../../src/buyer/list-buyer.ts'
import type { Wallet } from '../../src/buyer/wallet.ts'
import { buyList } from '../../src/list/buy-list.ts'
import { openJournal } from '../../src/list/journal.ts'
import { createPayer } from '../../src/list/pay-batch.ts'

const URL = 'https://checks.example/'
const PRICE = 1_000n

/**
 * What becomes of one request that pays: `crash` ends the buyer's process, before or after the service has charged; an
 * `open` refusal is by the word of a facilitator, which may have charged all the same.
 */
const FATES = [
  'sold',
  'crash-unsent',
  'crash-charged',
  'doubt-unsent',
  'doubt-charged',
  'refused',
  'refused-open',
  'refused-charged',
  'unavailable',
] as const
/** "Nothing was charged", of a payment that is. */
const LIED = 'lied'
type Fate = (typeof FATES)[number] | typeof LIED

class Crash extends Error {}

const refusedFor = (code: string) => ({
  kind: 'unpaid' as const,
  status: 402,
  code,
  detail: '',
  required: {} as PaymentRequired,
  pay: () => () => Promise.reject(new Error('unused')),
})

/** The service's books: what each authorization was charged for, and which can no longer be used. */
function modelService() {
  const charged = new Map<string, readonly TypedValue[]>()
  const expired = new Set<string>()
  let fates: readonly Fate[] = []
  let forgets = false
  let nonces = 0

  const nonceOf = (payload: PaymentPayload) => (payload.payload as { nonce: string }).nonce
  const wallet: Wallet = {
    sign: async () => ({ payload: { nonce: String(++nonces) } }) as unknown as PaymentPayload,
  }
  const buyer: ListBuyer = {
    quote: async (items) => ({
      kind: 'quoted',
      required: {} as PaymentRequired,
      terms: {} as PaymentRequirements,
      amount: PRICE * BigInt(items.length),
    }),
    async send(items, payload) {
      const nonce = nonceOf(payload)
      const known = charged.get(nonce)
      const fate = fates[0] ?? 'sold'
      fates = fates.slice(1)
      expect(items).toEqual(known ?? items)
      if (fate === 'crash-unsent') throw new Crash()
      if (fate === 'doubt-unsent') return { kind: 'in_doubt', status: 0, code: 'no_answer', detail: '' }
      if (known !== undefined && forgets) {
        return { kind: 'refused', status: 409, code: 'replay_window_over', detail: '' }
      }
      if (known === undefined) {
        if (fate === 'unavailable')
          return { kind: 'refused', status: 503, code: 'facilitator_unavailable', detail: '' }
        if (fate === 'refused' || expired.has(nonce)) {
          expired.add(nonce)
          return refusedFor('payment_expired')
        }
        if (fate === 'refused-open') return refusedFor('payment_refused')
        charged.set(nonce, [...items])
        if (fate === LIED) return refusedFor('payment_expired')
        if (fate === 'refused-charged') return refusedFor('payment_refused')
      }
      if (fate === 'crash-charged') throw new Crash()
      if (fate === 'doubt-charged')
        return { kind: 'in_doubt', status: 503, code: 'payment_in_doubt', detail: '' }
      const result = items.map(({ type, value }) => CHECKS[type](value))
      return { kind: 'sold', result, settlement: {} as SettleResponse, replayed: known !== undefined }
    },
  }
  return {
    buyer,
    wallet,
    play: (next: readonly Fate[]) => {
      fates = next
    },
    forget: () => {
      forgets = true
    },
    paidFor: () => [...charged.values()].flat().map(({ value }) => value),
    sold: () => [...charged.values()].flat().map(({ type, value }) => `${type} ${value}`),
  }
}

let scratch: ScratchDir
beforeAll(() => {
  scratch = scratchDir()
})
afterAll(() => scratch.remove())
let journals = 0
const newJournal = () => join(scratch.path, `${++journals}.journal`)

async function* rowsOf(values: readonly unknown[]): AsyncGenerator<InputRow> {
  for (const value of values) yield { line: 1, cells: [String(value)], type: 'iban', value }
}

/** The further columns hold the values in another order. */
async function* tableOf(
  values: readonly unknown[],
  [type = 'iban', ...types]: readonly CheckType[],
): AsyncGenerator<InputRow> {
  for (const [at, value] of values.entries()) {
    const others = types.map((each) => ({ type: each, value: values.at(-1 - at) }))
    yield { line: 1, cells: [String(value)], type, value, others }
  }
}

interface RunOptions {
  readonly batch?: number
  readonly maxSpend?: bigint | null
  readonly signal?: AbortSignal
  readonly types?: readonly CheckType[]
}

/** One process: reads the list from its beginning, with the journal it finds. */
async function runOnce(
  service: ReturnType<typeof modelService>,
  path: string | null,
  values: readonly unknown[],
  { batch = 3, maxSpend = null, signal = new AbortController().signal, types = ['iban'] }: RunOptions = {},
) {
  const journal = openJournal(path, { type: types.join('+'), url: URL })
  const written: [unknown, RowResult][] = []
  try {
    const { buyer, wallet } = service
    const purchase = {
      rows: types.length === 1 ? rowsOf(values) : tableOf(values, types),
      payer: createPayer({ url: URL, buyer, wallet, journal, maxSpend, signal }),
      journal,
      batch,
      signal,
    }
    const stop = await buyList({
      ...purchase,
      write: async (row, results) => {
        for (const [at, { value }] of cellsOf(row).entries()) written.push([value, results[at] as RowResult])
      },
    })
    return { stop, written, totals: journal.totals(), crashed: false }
  } catch (error) {
    if (!(error instanceof Crash)) throw error
    return { stop: null, written, totals: journal.totals(), crashed: true }
  } finally {
    journal.close({ isDone: false })
  }
}

const verdictOf = (value: string, type: CheckType = 'iban'): RowResult => checkedOf(CHECKS[type](value))
const ofValue = (count: number) => Array.from({ length: count }, (_, at) => `DE${at}`)

test('rows are written in order, equal values are bought once', async () => {
  const service = modelService()
  const values = ['DE1', 'DE2', 'DE1', '', 'DE3', 'DE4', 'DE2', 'x'.repeat(513), 'DE1']
  const { stop, written, totals } = await runOnce(service, null, values)
  expect(stop).toBeNull()
  expect(written).toEqual(
    values.map((value) => [
      value,
      value === ''
        ? { kind: 'skipped', code: 'empty' }
        : value.length > 512
          ? { kind: 'skipped', code: 'value_too_long' }
          : verdictOf(value),
    ]),
  )
  expect(service.paidFor()).toEqual(['DE1', 'DE2', 'DE3', 'DE4'])
  expect(totals).toEqual({ spent: 4n * PRICE, uncertain: 0n, refused: 0n })
})

test('a long run of one value does not wait for a full batch', async () => {
  const service = modelService()
  const values = Array.from({ length: 10_000 }, () => 'DE1')
  const { written } = await runOnce(service, null, values)
  expect([written.length, service.paidFor()]).toEqual([10_000, ['DE1']])
})

describe('property', () => {
  test('whatever goes wrong, in any number of runs: nothing is paid twice, and nothing is missing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 30 }),
        fc.array(fc.array(fc.constantFrom(...FATES), { maxLength: 6 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom<readonly CheckType[]>(['iban'], ['iban', 'eu-vat'], ['iban', 'iban', 'eu-vat']),
        async (numbers, runs, batch, types) => {
          const service = modelService()
          const path = newJournal()
          const values = numbers.map((number) => `DE${number}`)
          for (const fates of runs) {
            service.play(fates)
            await runOnce(service, path, values, { batch, types })
          }
          service.play([])
          const { stop, written, totals } = await runOnce(service, path, values, { batch, types })
          expect(stop).toBeNull()
          expect(written).toEqual(
            values.flatMap((value, row) =>
              types.map((type, at) => {
                const told = at === 0 ? value : (values.at(-1 - row) ?? '')
                return [told, verdictOf(told, type)]
              }),
            ),
          )
          const sold = new Set(values.flatMap((value) => types.map((type) => `${type} ${value}`)))
          expect(service.sold().toSorted()).toEqual([...sold].toSorted())
          expect(totals).toMatchObject({ spent: PRICE * BigInt(sold.size), uncertain: 0n })
        },
      ),
      { numRuns: 150 },
    )
  })

  test('the limit is never passed, in any number of runs, whatever the service says', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.bigInt({ min: 0n, max: 20_000n }),
        fc.array(fc.array(fc.constantFrom(...FATES, LIED), { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        async (count, maxSpend, runs) => {
          const service = modelService()
          const path = newJournal()
          for (const fates of runs) {
            service.play(fates)
            await runOnce(service, path, ofValue(count), { maxSpend })
            expect(PRICE * BigInt(service.paidFor().length)).toBeLessThanOrEqual(maxSpend)
          }
        },
      ),
      { numRuns: 80 },
    )
  })
})

describe('a payment of an earlier run', () => {
  test('whose answer is gone is not bought again, and its rows say so', async () => {
    const service = modelService()
    const path = newJournal()
    service.play(['sold', 'crash-charged'])
    expect((await runOnce(service, path, ofValue(6))).crashed).toBe(true)
    service.forget()
    const { stop, written, totals } = await runOnce(service, path, ofValue(6))
    expect(stop).toBeNull()
    expect(written.map(([, result]) => result.kind === 'skipped' && result.code)).toEqual([
      false,
      false,
      false,
      'answer_lost',
      'answer_lost',
      'answer_lost',
    ])
    expect(totals.spent).toBe(6n * PRICE)
    expect(service.paidFor()).toEqual(ofValue(6))
  })

  test('whose values have left the list is named by its state', async () => {
    const service = modelService()
    const path = newJournal()
    service.play(['crash-charged'])
    await runOnce(service, path, ofValue(3))
    const { stop } = await runOnce(service, path, ofValue(2))
    expect(stop).toEqual({ kind: 'changed', state: expect.stringContaining(`${URL}payments/`) })
  })

  test('whose values have moved is sent in its own order', async () => {
    const service = modelService()
    const path = newJournal()
    service.play(['crash-charged'])
    await runOnce(service, path, ofValue(3))
    const moved = ['new', ...ofValue(3).toReversed()]
    const { written } = await runOnce(service, path, moved)
    expect(written.map(([value]) => value)).toEqual(moved)
    expect(service.paidFor().toSorted()).toEqual(['new', ...ofValue(3)].toSorted())
  })
})

describe('a refusal', () => {
  test.each([
    'payment_refused',
    'payment_locked',
    'unknown',
  ])('%s: the payment counts, stays in the journal, and is sent again', async (code) => {
    const service = modelService()
    const path = newJournal()
    const sent: PaymentPayload[] = []
    const buyer: ListBuyer = {
      ...service.buyer,
      async send(_values, payload) {
        sent.push(payload)
        return refusedFor(code)
      },
    }
    for (let run = 0; run < 3; run += 1) {
      const { stop, totals } = await runOnce({ ...service, buyer }, path, ofValue(3), {
        maxSpend: 3n * PRICE,
      })
      expect(stop).toMatchObject({ kind: 'not_bought', words: expect.stringContaining('not known whether') })
      expect(totals).toEqual({ spent: 0n, uncertain: 3n * PRICE, refused: 0n })
    }
    expect(sent).toHaveLength(3)
    expect(sent).toEqual([sent[0], sent[0], sent[0]])
    const last = await runOnce(service, path, ofValue(3))
    expect([last.stop, last.totals]).toEqual([null, { spent: 3n * PRICE, uncertain: 0n, refused: 0n }])
  })

  test.each([
    'payment_required',
    'payment_expired',
    'payment_terms_mismatch',
  ])('%s: nothing was charged, by the word of the service', async (code) => {
    const service = modelService()
    const path = newJournal()
    const buyer: ListBuyer = { ...service.buyer, send: async () => refusedFor(code) }
    const { stop, totals } = await runOnce({ ...service, buyer }, path, ofValue(3))
    expect(stop).toEqual({ kind: 'not_bought', words: `${code}: ` })
    expect(totals).toEqual({ spent: 0n, uncertain: 0n, refused: 3n * PRICE })
  })
})

test('after an interruption nothing more is signed', async () => {
  const service = modelService()
  const interruption = new AbortController()
  const path = newJournal()
  const send = service.buyer.send
  let sent = 0
  const buyer: ListBuyer = {
    ...service.buyer,
    async send(items, payload) {
      if (++sent === 2) interruption.abort()
      return send(items, payload)
    },
  }
  const first = await runOnce({ ...service, buyer }, path, ofValue(30), { signal: interruption.signal })
  expect([first.stop, sent, first.written.length]).toEqual([{ kind: 'interrupted' }, 2, 6])
  expect((await runOnce(service, path, ofValue(30))).written).toHaveLength(30)
  expect(service.paidFor()).toEqual(ofValue(30))
})
