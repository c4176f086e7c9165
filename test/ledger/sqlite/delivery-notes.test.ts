import { beforeEach, expect, test } from 'vitest'
import { deliveryNotes } from '../../../src/ledger/sqlite/delivery-notes.ts'
import type { DeliveryNotes } from '../../../src/ledger/store/store.ts'

/** The commits under way, in the order in which they were asked for. */
let commits: PromiseWithResolvers<void>[]
let hurries: number
let notes: DeliveryNotes
beforeEach(() => {
  commits = []
  hurries = 0
  notes = deliveryNotes(
    () => {
      const commit = Promise.withResolvers<void>()
      commits.push(commit)
      return commit.promise as Promise<never>
    },
    () => {
      hurries += 1
    },
  )
})

const write = (payer: string) => notes.write(payer, async () => {})
/** Whether a promise is open after all work that is ready was done. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let open = true
  promise.then(() => {
    open = false
  })
  await new Promise((resolve) => setImmediate(resolve))
  return open
}

test('a note is written at once, and hurries nothing', () => {
  void write('a')
  expect([commits.length, hurries]).toEqual([1, 0])
})

test('a payer waits for its own newest note, which is hurried, and for that of no other', async () => {
  const first = write('a')
  const second = write('a')
  void write('b')
  commits[0]?.resolve()
  await first
  const settled = notes.settle('a')
  expect([await isOpen(settled), hurries]).toEqual([true, 1])
  commits[1]?.resolve()
  await Promise.all([second, settled])
})

test('a payer whose notes are committed waits for nothing and hurries nothing', async () => {
  const note = write('a')
  commits[0]?.resolve()
  await note
  await notes.settle('a')
  expect(hurries).toBe(0)
})

test('a note that fails is an error of its writer, and not of a reader that waited for it', async () => {
  const note = write('a')
  const settled = notes.settle('a')
  commits[0]?.reject(new Error('told to fail'))
  await expect(note).rejects.toThrow('told to fail')
  await settled
})
