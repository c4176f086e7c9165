import { describe, expect, test } from 'vitest'
import { isLinearizable, type Operation } from './linearizable.ts'

type Call = Operation<string>

const read = (begin: number, end: number, answer?: string): Call => ({
  ...{ begin, end, name: 'read' },
  apply: (state) => ({ state, answer: state }),
  ...(answer === undefined ? {} : { answer }),
})
/** A compare-and-set. */
const set = (begin: number, end: number, from: string, to: string, answer?: boolean): Call => ({
  ...{ begin, end, name: 'set' },
  apply: (state) => (state === from ? { state: to, answer: true } : { state, answer: false }),
  ...(answer === undefined ? {} : { answer }),
})
const NEVER = Number.POSITIVE_INFINITY

describe('a history of one register', () => {
  test.each<[string, boolean, Call[]]>([
    ['one call after the other', true, [set(0, 1, 'a', 'b', true), read(2, 3, 'b')]],
    ['a stale read', false, [set(0, 1, 'a', 'b', true), read(2, 3, 'a')]],
    [
      'a read beside a write sees it or not',
      true,
      [set(0, 5, 'a', 'b', true), read(1, 2, 'b'), read(1, 2, 'a')],
    ],
    ['a read that goes back', false, [set(0, 5, 'a', 'b', true), read(1, 2, 'b'), read(3, 4, 'a')]],
    ['one of two wins', true, [set(0, 5, 'a', 'b', true), set(0, 5, 'a', 'c', false), read(6, 7, 'b')]],
    ['both of two win', false, [set(0, 5, 'a', 'b', true), set(0, 5, 'a', 'c', true)]],
    ['a lost update', false, [set(0, 1, 'a', 'b', true), set(2, 3, 'b', 'c', true), read(4, 5, 'b')]],
    ['a call without an answer took effect', true, [set(0, NEVER, 'a', 'b'), read(1, 2, 'b')]],
    ['a call without an answer did not', true, [set(0, NEVER, 'a', 'b'), read(1, 2, 'a')]],
    ['it took effect late', true, [set(0, NEVER, 'a', 'b'), read(1, 2, 'a'), read(3, 4, 'b')]],
    [
      'and not twice',
      false,
      [set(0, NEVER, 'a', 'b'), read(1, 2, 'b'), set(3, 4, 'b', 'a', true), read(5, 6, 'b')],
    ],
    ['nor before it began', false, [read(0, 1, 'b'), set(2, NEVER, 'a', 'b')]],
    ['a loser that nothing explains', false, [set(0, 1, 'a', 'b', false)]],
  ])('%s', (_name, expected, history) => {
    expect(isLinearizable('a', history)).toBe(expected)
  })
})
