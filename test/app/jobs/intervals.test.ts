/** How often a process does what docs/operations.md says it does. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type LoopParts, startLoops } from '../../../src/app/jobs/start-loops.ts'
import type { AppOptions } from '../../../src/app/options.ts'
import { createLog } from '../../../src/log.ts'
import { SignerUnavailable } from '../../../src/payments/ports/signer.ts'

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000] as const

/** Turns of each job, by what it calls first. */
let turns: Record<string, number>
let stop: () => Promise<void>
beforeEach(() => {
  vi.useFakeTimers()
  turns = {}
  const turn =
    <T>(name: string, answer: T) =>
    async () => {
      turns[name] = (turns[name] ?? 0) + 1
      return answer
    }
  const ledger = {
    purge: turn('purge', {}),
    // Another replica has the turn, so a look at the lock is a whole turn.
    acquireLock: turn('recovery', false),
    claimableChannels: async () => [],
  }
  const payments = {
    context: {
      ...{ ledger, owner: 'a', now: Date.now, bindings: { keep: turn('key', undefined) } },
      networks: new Map([
        ['a', { chain: {}, chainTime: () => null, terms: { network: {}, asset: '', payTo: '' } }],
      ]),
    },
    counts: { flush: turn('counts', undefined) },
    // Each time the signer is away.
    renewQuotes: async () => {
      await turn('offers', undefined)()
      throw new SignerUnavailable('away')
    },
    channels: { maintenance: { run: turn('channels', null) } },
  }
  stop = startLoops(
    {
      now: Date.now,
      log: createLog({ level: 'error', write: () => {} }),
      channels: { authorizer: { address: '0x' } },
    } as unknown as AppOptions,
    {
      ledger,
      payments,
      metrics: { unknownTransfer: () => {} },
    } as unknown as LoopParts,
  )
})
afterEach(async () => {
  await stop()
  vi.useRealTimers()
})

test.each([
  ['counts', SECOND, 'later'],
  ['key', 5 * SECOND, 'later'],
  ['channels', 15 * SECOND, 'at once'],
  ['purge', MINUTE, 'later'],
  ['recovery', MINUTE, 'at once'],
  ['offers', HOUR, 'later'],
])('%s: a turn every %d ms, the first %s', async (name, every, first) => {
  await vi.advanceTimersByTimeAsync(1)
  const begun = first === 'at once' ? 1 : 0
  expect(turns[name] ?? 0).toBe(begun)
  await vi.advanceTimersByTimeAsync(every - 2)
  expect(turns[name] ?? 0).toBe(begun)
  await vi.advanceTimersByTimeAsync(3 * every + 2)
  expect(turns[name]).toBe(begun + 4)
})
