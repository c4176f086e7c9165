/** One random change of a statement: what is proved is never more, or other, than what was sold. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SeededRandom } from '../../../../../test/support/seeded-random.ts'
import { type BoughtList, buyList, type Verdict } from './bought-list.ts'
import { changesBy, subjectOf } from './changes.ts'

const CHANGES = 5_000

let bought: BoughtList
beforeAll(async () => {
  bought = await buyList()
})
afterAll(() => bought.stop())

/** Rows without the numbers of their cells, which no one signed, each once. */
const soldIn = ({ rows }: Pick<Verdict, 'rows'>) =>
  new Set(rows.map(({ cell: _, ...row }) => JSON.stringify(row)))

test(`one random change of a statement: ${CHANGES} of them`, async () => {
  const base = {
    named: await bought.verify(bought.statement),
    own: await bought.verify(bought.statement, { own: true }),
  }
  expect([base.named.code, base.named.rows.length, base.own.code, base.own.rows]).toEqual([0, 12, 4, []])
  const sold = soldIn(base.named)
  const kinds = Object.entries(changesBy(new SeededRandom(51))).flatMap(([effect, changes]) =>
    Object.entries(changes).map(([kind, change]) => ({ effect, kind, change })),
  )
  const missed = new Map<string, unknown>()
  for (let at = 0; at < CHANGES; at += 1) {
    const { effect, kind, change } = kinds[at % kinds.length] as (typeof kinds)[number]
    const changed = subjectOf(bought)
    change(changed)
    const own = at % 5 === 4
    const told = await bought.verify(changed, { own, list: null })
    const proved = soldIn(told)
    const isRefused = told.code === 1 && told.rows.length === 0 && told.json.genuine === false
    const isLess = proved.size < sold.size && [...proved].every((row) => sold.has(row))
    const isRight =
      effect === 'REFUSED'
        ? isRefused
        : own
          ? told.rows.length === 0 && !/genuine|proved|signed by/.test(told.text)
          : effect === 'LESS'
            ? isLess && told.text !== base.named.text
            : proved.size === sold.size && [...proved].every((row) => sold.has(row))
    if (!isRight) missed.set(kind, [told.code, told.text])
  }
  expect(Object.fromEntries(missed)).toEqual({})
})
