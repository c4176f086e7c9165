import { expect, test } from 'vitest'
import { createReadiness } from '../../../src/app/health/readiness.ts'

test('networks that are asked about at once share one question to the store, whose answer is not kept', async () => {
  let asked = 0
  const ready = async () => {
    asked += 1
    return asked > 1
  }
  const readiness = createReadiness({ ready })
  const look = () =>
    Promise.all([
      readiness.troubles({ troubles: () => ['chain_stalled'] }),
      readiness.troubles({ troubles: () => [] }),
    ])
  expect(await look()).toEqual([['chain_stalled', 'store_unavailable'], ['store_unavailable']])
  expect(asked).toBe(1)
  expect(await look()).toEqual([['chain_stalled'], []])
  expect(asked).toBe(2)
})
