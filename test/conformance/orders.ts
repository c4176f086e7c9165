/** What the paying clients order, and what they must get. */
import assert from 'node:assert/strict'
import type { Target } from './target.ts'

const IBAN = 'PL61109010140000071219812874'

/** An order over REST. */
export interface RestOrder {
  /** For the name of a trial. */
  readonly words: string
  readonly path: string
  readonly body: object
  /** Throws unless the answer is what was ordered. */
  readonly assertAnswer: (answer: unknown) => void
}

/** A valid IBAN. */
const IBAN_ORDER: RestOrder = {
  words: 'buys',
  path: '/api/validate/iban',
  body: { value: IBAN },
  assertAnswer(answer) {
    const { type, valid } = answer as { type: string; valid: boolean }
    assert.deepEqual([type, valid], ['iban', true])
  },
}

export const LIST_LENGTH = 100

/** A list of several types; every fourth value is not valid. */
export const LIST_ITEMS = Array.from({ length: LIST_LENGTH }, (_, at) =>
  at % 2 === 0
    ? { type: 'email', value: `someone${at}@example.com` }
    : { type: 'iban', value: at % 4 === 1 ? IBAN : `${IBAN.slice(0, -1)}0` },
)

/** Throws unless the results are those of {@link LIST_ITEMS}, in order. */
export function assertListResults(results: unknown): void {
  const shown = (results as { type: string; valid: boolean }[]).map(({ type, valid }) => [type, valid])
  assert.deepEqual(
    shown,
    LIST_ITEMS.map(({ type }, at) => [type, at % 4 !== 3]),
  )
}

const LIST_ORDER: RestOrder = {
  words: 'buys a list of 100',
  path: '/api/validate/batch',
  body: { items: LIST_ITEMS },
  assertAnswer(answer) {
    const { count, results } = answer as { count: number; results: unknown }
    assert.equal(count, LIST_LENGTH)
    assertListResults(results)
  },
}

export const REST_ORDERS: readonly RestOrder[] = [IBAN_ORDER, LIST_ORDER]

export const restUrlOf = ({ origin }: Target, { path }: RestOrder): string => `${origin}${path}`
