import { afterEach, beforeEach, expect, test } from 'vitest'
import { channelLoops } from '../../../src/app/jobs/channel-loops.ts'
import type { PaymentLayer } from '../../../src/app/payments/payment-layer.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { createLog } from '../../../src/log.ts'
import { SignerUnavailable } from '../../../src/payments/ports/signer.ts'
import { newChannel } from '../../support/channel-rows.ts'
import { eventually } from '../../support/eventually.ts'
import { openTempLedger, type TempLedger } from '../../support/temp-ledger.ts'

const OTHER = `0x${'e'.repeat(40)}`

let store: TempLedger
let lines: string[]
beforeEach(async () => {
  store = await openTempLedger()
  lines = []
})
afterEach(() => store.close())

/** Starts the loops of a process and ends them at once; without an authorizer channels are off. */
async function startOnce(receiverAuthorizer: string | undefined) {
  const log = createLog({ level: 'warn', write: (line) => lines.push(line) })
  let looked = 0
  const seen = async <T>(asked: Promise<T>) => {
    const answer = await asked
    setImmediate(() => {
      looked += 1
    })
    return answer
  }
  const ledger = {
    channelTotals: (now: number) => seen(store.ledger.channelTotals(now)),
    claimableChannels: (limit: number) => seen(store.ledger.claimableChannels(limit)),
  }
  const payments = {
    channels: receiverAuthorizer && { receiverAuthorizer, maintenance: { run: async () => null } },
    context: { ledger, now: Date.now },
  } as unknown as PaymentLayer
  const loops = channelLoops(payments, log)
  await eventually(() => looked).toBe(1)
  await Promise.all(loops.map((loop) => loop.stop()))
}

test('a start with another key than the one that unclaimed channels name says so', async () => {
  await store.ledger.openChannel(newChannel({ charged: 4_000n }))
  await startOnce(OTHER)
  expect(lines.join()).toMatch(/"channels_left_unclaimed".*"RECEIVER_AUTHORIZER_KEY".*"count":1/)
})

test('a start with their own key says nothing', async () => {
  const channel = newChannel({ charged: 4_000n })
  await store.ledger.openChannel(channel)
  await startOnce(channel.config.receiverAuthorizer)
  expect(lines).toEqual([])
})

test('nor does one with another key where all is claimed', async () => {
  await store.ledger.openChannel(newChannel({ charged: 0n }))
  await startOnce(OTHER)
  expect(lines).toEqual([])
})

test('a start without channels says that something is left to claim', async () => {
  await store.ledger.openChannel(newChannel({ charged: 4_000n }))
  await startOnce(undefined)
  expect(lines.join()).toMatch(/"channels_left_unclaimed".*"setting":"CHANNELS"/)
})

test.each([
  ['store', new StoreUnavailable('away')],
  ['signer', new SignerUnavailable('away')],
])('a run that fails names its cause, the %s', async (cause, error) => {
  const log = createLog({ level: 'warn', write: (line) => lines.push(line) })
  const channels = { maintenance: { run: () => Promise.reject(error) } }
  const loops = channelLoops({ channels, context: store } as unknown as PaymentLayer, log)
  await eventually(() => lines.join()).toContain('channels_not_maintained')
  await Promise.all(loops.map((loop) => loop.stop()))
  expect(lines.join()).toContain(`"${cause}"`)
})
