/** The stock client buys a thousand calls over a channel while the service is killed again and again. */
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CHANNEL_SETTLEMENT } from '../../src/sandbox/addresses.ts'
import { giveEther } from '../../src/sandbox/chain/provision.ts'
import { SETTLEMENT_ABI } from '../support/channel-chain.ts'
import { channelClient } from '../support/channel-client.ts'
import { validValue } from '../support/identifiers.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { type LiveService, startLiveService } from './bench/live-service.ts'
import { freshPayee, PRICE, startWorld, type World } from './bench/world.ts'

// A thousand calls and a dozen starts, however busy the machine is.
vi.setConfig({ testTimeout: 1_200_000 })

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** More than twice what any client buys, and than the least deposit. */
const FUNDED_CALLS = 2_500
const OWN_ACCOUNT = 'that goes by its own account alone'
/** Without the chain a client waits long after each kill, so a dozen of them is shared by four. */
const CLIENTS = [
  { client: 'that reads the chain', readsChain: true, calls: 1_001, kills: 12, seed: 0 },
  ...[1, 2, 3, 4].map((seed) => ({
    ...{ client: `${OWN_ACCOUNT}, ${seed} of four`, readsChain: false, calls: 76, kills: 3, seed },
  })),
]

test.concurrent.for(CLIENTS)('a client $client is charged once for each answer', async ({
  readsChain,
  calls,
  kills,
  seed,
}, { expect }) => {
  const payTo = freshPayee()
  const service = await startLiveService({
    environment: {
      ...world.settings(payTo),
      CHANNELS: 'on',
      RECEIVER_AUTHORIZER_KEY: generatePrivateKey(),
    },
  })
  try {
    const account = await world.buyer(FUNDED_CALLS)
    const funds = await world.balance(account.address)
    const client = channelClient({ account, ...(readsChain ? { rpcUrl: world.rpcUrl } : {}) })
    const random = new SeededRandom(20_261_122 + seed)
    const killed = new Set(Array.from({ length: kills }, () => random.int(calls)))
    for (let call = 0; call < calls; call += 1) {
      const value = validValue('iban', call)
      const kill = killed.has(call) ? killSoon(service, random.int(40)) : null
      const answer = await untilAnswered(() => client.check(service.url, value))
      expect(answer.valid).toBe(true)
      await kill
    }
    const cost = BigInt(calls) * PRICE
    // The payer begins to leave: what it owes is claimed and paid out at once.
    const terms = await offered(service.url)
    const config = client.scheme.buildChannelConfig(terms)
    const data = encodeFunctionData({
      abi: SETTLEMENT_ABI,
      functionName: 'initiateWithdraw',
      args: [config, 1n],
    })
    await sendAs(account.address, data)
    await expect.poll(() => world.balance(payTo)).toBe(cost)
    // And gets the rest of its deposit back.
    expect((await client.refund(service.url)).success).toBe(true)
    expect(await world.balance(account.address)).toBe(funds - cost)
    expect(await world.balance(payTo)).toBe(cost)
  } finally {
    await service.remove()
  }
})

/** Kills the service some milliseconds from now and starts it again. */
async function killSoon(service: LiveService, afterMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  await service.kill()
  await service.start()
}

/** Sends the same call until it is answered, as a client does that lost a reply. */
async function untilAnswered(send: () => Promise<Response>): Promise<{ valid: boolean }> {
  for (;;) {
    const answer = await send().catch(() => null)
    if (answer?.status === 200) return (await answer.json()) as { valid: boolean }
    await answer?.arrayBuffer().catch(() => null)
    // A service that restarts, a deposit in doubt, an account that is corrected: nothing a buyer pays for.
    expect([undefined, 402, 503]).toContain(answer?.status)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The terms of channels, as the service offers them. */
async function offered(url: string) {
  const { headers } = await fetch(`${url}/api/channel`)
  const [terms] = decodePaymentRequiredHeader(headers.get('PAYMENT-REQUIRED') ?? '').accepts
  if (terms === undefined) throw new Error('no terms')
  return terms
}

async function sendAs(from: Hex, data: Hex): Promise<void> {
  await giveEther(world.rpcUrl, from)
  await world.rpc('anvil_impersonateAccount', [from])
  await world.rpc('eth_sendTransaction', [{ from, to: CHANNEL_SETTLEMENT, data }])
}
