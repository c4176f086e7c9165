import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../../../../test/support/command.ts'
import { SeededRandom } from '../../../../../test/support/seeded-random.ts'
import { type BoughtList, buyList } from '../statements/bought-list.ts'
import { changesBy, subjectOf, textOf } from '../statements/changes.ts'

const STATEMENTS = 200

let bought: BoughtList
beforeAll(async () => {
  bought = await buyList()
})
afterAll(() => bought.stop())

/** What both verifiers tell of a statement. */
function shared({ fault, ...json }: Readonly<Record<string, unknown>>) {
  const { paid, unproven, rows = {}, file, not_compared } = json
  const { above: _, ...counted } = rows as Record<string, number>
  return fault === undefined ? { paid, unproven, rows: counted, file, not_compared } : { forged: true }
}

test('a verifier in Python, written from the documents, says the same of forged and honest statements', async () => {
  const { MEANT, UNMEANT } = changesBy(new SeededRandom(7))
  // The list is named to the second verifier, so a name in the statement means nothing to it; it makes no suggestions.
  const kinds = [...Object.entries(MEANT), ...Object.entries(UNMEANT)].filter(
    ([kind]) => !/its name|suggestion|other words/.test(kind),
  )
  const folder = join(bought.folder, 'cases')
  mkdirSync(folder)
  const cases: { readonly statement: string; readonly list: string }[] = []
  const expected: { readonly kind: string; readonly told: object }[] = []
  for (let at = 0; at < STATEMENTS; at += 1) {
    // Every fifth is honest.
    const [kind, change] =
      at % 5 === 0
        ? (['honest', () => undefined] as const)
        : (kinds[at % kinds.length] as (typeof kinds)[number])
    const changed = subjectOf(bought)
    const other = change(changed)
    const list = typeof other === 'string' ? other : textOf(changed)
    const paths = { statement: join(folder, `${at}.json`), list: join(folder, `${at}.csv`) }
    writeFileSync(paths.statement, JSON.stringify(changed.statement))
    writeFileSync(paths.list, list)
    cases.push(paths)
    expected.push({ kind, told: shared((await bought.verify(changed.statement, { list })).json) })
  }
  const keys = join(folder, 'jwks.json')
  writeFileSync(keys, await (await fetch(`${bought.service.url}/.well-known/jwks.json`)).text())
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases))
  const program = join(import.meta.dirname, 'verify_statement.py')
  const { code, stdout, stderr } = await outcomeOf([program, keys, join(folder, 'cases.json')], {
    program: '/usr/bin/python3',
  })
  expect([code, stderr]).toEqual([0, []])
  expect(stdout.map((line, at) => ({ kind: expected[at]?.kind, told: JSON.parse(line) }))).toEqual(expected)
  expect(new Set(expected.map(({ told }) => 'forged' in told))).toEqual(new Set([true, false]))
})
