/** Files made to cost much. Tests count what is made of them; `npm run hostile-files` prints time and memory. */
import { expect, test } from 'vitest'
import { Budget } from '../../src/lists/budget.ts'
import { ListFault } from '../../src/lists/list-fault.ts'
import { readList } from '../../src/lists/read-list.ts'
import { HOSTILE_FILES } from '../support/hostile-files.ts'
import { IBANS } from '../support/workbooks.ts'

const MB = 1024 * 1024
const SIZE = 24 * MB
test.each(HOSTILE_FILES)('$name', async ({ make, refused }) => {
  const bytes = make(SIZE)
  const budget = new Budget()
  const read = async () => {
    const list = await readList(
      (async function* () {
        yield bytes
      })(),
      { check: IBANS, budget },
    )
    for await (const _ of list.rows);
  }
  const outcome = await read().then(
    () => null,
    (error: unknown) => error,
  )
  if (refused === null) expect(outcome).toBeNull()
  else {
    expect(outcome).toBeInstanceOf(ListFault)
    expect((outcome as Error).message).toMatch(refused)
  }
  const { unpacked, cells, characters } = budget.spent
  expect(unpacked).toBeLessThan(32 * MB)
  expect(characters).toBeLessThan(64 * MB)
  expect(cells).toBeLessThan(4_000_000 + 8 * bytes.length)
})
