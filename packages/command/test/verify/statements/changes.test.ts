/**
 * One random change of a bought list or of its statement: what means something is never reported in the words of the unchanged
 * one, and what means nothing keeps the proof.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../../../../test/support/seeded-random.ts'
import { type BoughtList, buyList } from './bought-list.ts'
import { changesBy, subjectOf, textOf } from './changes.ts'

const CHANGES = 5_000

let bought: BoughtList
beforeAll(async () => {
  bought = await buyList()
})
afterAll(() => bought.stop())

describe('one random change', () => {
  test(`that means something is never genuine, nor told in the same words: ${CHANGES} of them`, async () => {
    const base = {
      named: await bought.verify(bought.statement),
      own: await bought.verify(bought.statement, { own: true }),
    }
    expect([base.named.code, base.own.code]).toEqual([0, 4])
    const kinds = Object.entries(changesBy(new SeededRandom(51)).MEANT)
    const missed = new Map<string, number>()
    for (let at = 0; at < CHANGES; at += 1) {
      const [kind, change] = kinds[at % kinds.length] as (typeof kinds)[number]
      const changed = subjectOf(bought)
      change(changed)
      const own = at % 5 === 4
      const told = await bought.verify(changed.statement, { list: textOf(changed), own })
      const unchanged = own ? base.own : base.named
      const isTold =
        ![0, 4].includes(told.code) &&
        told.json.genuine === false &&
        told.text !== unchanged.text &&
        !told.text.startsWith('genuine')
      // Of another file than the one that was named, nothing else need differ.
      const isOther = kind.startsWith('the hash') && told.text !== unchanged.text
      if (!isTold && !isOther) missed.set(kind, (missed.get(kind) ?? 0) + 1)
    }
    expect(Object.fromEntries(missed)).toEqual({})
  })

  test('that means nothing is named, and keeps the proof', async () => {
    const base = await bought.verify(bought.statement)
    for (const [kind, change] of Object.entries(changesBy(new SeededRandom(51)).UNMEANT)) {
      const changed = subjectOf(bought)
      const list = change(changed) ?? textOf(changed)
      const { code, json } = await bought.verify(changed.statement, { list })
      const file = list === bought.text ? 'as_stated' : 'other'
      expect([kind, code, json]).toEqual([kind, 0, { ...base.json, file }])
    }
  })
})
