import { expect, test } from 'vitest'
import {
  createLedgerJournal,
  createMemoryJournal,
  isLate,
  newestHash,
  type PendingTransaction,
} from '../../../../../src/payments/facilitators/self/queue/settlement-journal.ts'

const pending = (nonce: number): PendingTransaction => ({
  ...{ nonce, hashes: ['0x1', '0x2'], raw: '0x3', sentAt: 100, expiresAt: 5 },
})

function createFacts() {
  const facts = new Map<string, string>()
  const ledger = {
    ensureFact: async (name: string, first: string) => {
      if (!facts.has(name)) facts.set(name, first)
      return facts.get(name) as string
    },
    replaceFact: async (name: string, seen: string, next: string) => {
      if (facts.get(name) === seen) facts.set(name, next)
      return facts.get(name) as string
    },
  }
  return { facts, ledger }
}

test('the journal of a key is one fact of the store, whatever the case of the address', async () => {
  const { facts, ledger } = createFacts()
  const journal = createLedgerJournal(ledger, '0xAB')
  expect([await journal.look(), await journal.load()]).toEqual([[], []])
  await journal.save([pending(1)])
  await journal.save([pending(1), pending(2)])
  expect([...facts.keys()]).toEqual(['pending-settlements/0xab'])
  const other = createLedgerJournal(ledger, '0xab')
  expect(await other.look()).toEqual([pending(1), pending(2)])
})

test('a write that would undo that of another process rejects, and a look does not change that', async () => {
  const { ledger } = createFacts()
  const [one, other] = [createLedgerJournal(ledger, '0x1'), createLedgerJournal(ledger, '0x1')]
  await one.load()
  await other.load()
  await other.save([pending(2)])
  expect(await one.look()).toEqual([pending(2)])
  await expect(one.save([pending(1)])).rejects.toThrow('another process wrote')
  expect(await one.load()).toEqual([pending(2)])
  await one.save([pending(1)])
  expect(await other.look()).toEqual([pending(1)])
})

test('one in memory holds what was saved last', async () => {
  const journal = createMemoryJournal()
  expect(await journal.look()).toEqual([])
  await journal.save([pending(1)])
  await journal.save([pending(2)])
  expect([await journal.look(), await journal.load()]).toEqual([[pending(2)], [pending(2)]])
})

test('a transaction is late from an age on, by a clock that may be put back, and has its newest hash', () => {
  expect([149, 150, 51, 50].map((now) => isLate(pending(1), 50, now))).toEqual([false, true, false, true])
  expect(newestHash(pending(1))).toBe('0x2')
})
