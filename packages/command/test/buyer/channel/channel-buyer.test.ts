/** The buyer's own channel, over the whole service: what it signs, and what is left after a crash at any write. */
import {
  decodePaymentResponseHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
} from '@x402/core/http'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { generatePrivateKey } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ChannelService, startChannelService } from '../../../../../test/channels/channel-service.ts'
import { startOddServer } from '../../../../../test/support/odd-server.ts'
import { stubFetch, unstubFetch } from '../../../../../test/support/stub-fetch.ts'
import { type ChannelAccount, type ChannelBook, NoNode } from '../../../src/buyer/channel/channel-account.ts'
import { buyOverChannel, type ChannelPurchase } from '../../../src/buyer/channel/channel-buyer.ts'
import { createChannelWallet } from '../../../src/buyer/channel/channel-wallet.ts'
import { refundChannel } from '../../../src/buyer/channel/refund-channel.ts'
import { channelOffer } from './channel-offer.ts'

const A = 'GB82 WEST 1234 5698 7654 32'
const B = 'DE89 3704 0044 0532 0130 00'
const PRICE = 1_000n
const VERDICT = CHECKS.iban(A)
const fetchOfNode = globalThis.fetch

/** A book in memory, whose process dies at its n-th write, before or after it. */
function mortalBook(accounts = new Map<string, ChannelAccount>()) {
  const death = { atWrite: 0, when: 'before' as 'before' | 'after' }
  let writes = 0
  const book: ChannelBook = {
    find: (id) => accounts.get(id) ?? null,
    write(id, account) {
      writes += 1
      const dies = writes === death.atWrite
      if (dies && death.when === 'before') throw new Error('killed')
      accounts.set(id, account)
      if (dies) throw new Error('killed')
    },
    callKey: (type, value) => `${type}/${value.length}/${value.slice(0, 2)}`,
  }
  return { book, accounts, death, writes: () => writes }
}

let service: ChannelService
beforeEach(async () => {
  service = await startChannelService()
})
afterEach(async () => {
  unstubFetch()
  await service.stop()
})

function buyer(key = generatePrivateKey(), kept = mortalBook(), sends = 2) {
  const answered: string[] = []
  const wallet = createChannelWallet(key)
  const parts = {
    wallet,
    book: kept.book,
    readChannel: async (id: string) => service.bench.contract.state(id.toLowerCase()),
    backoff: { sends, sleep: async () => {} },
  }
  const buy = async (value: string, bounds: Partial<ChannelPurchase> = {}) => {
    const outcome = await buyOverChannel(
      { url: service.url, type: 'iban', maxAmount: PRICE, deposit: 250_000n, maxSpend: null, ...bounds },
      value,
      parts,
    )
    if (outcome.kind !== 'bought') return outcome
    answered.push(value)
    outcome.settle()
    return outcome
  }
  const id = () => [...kept.accounts.keys()][0]?.toLowerCase() ?? ''
  const charged = async () => (await service.bench.store.findChannel(id()))?.charged ?? 0n
  return {
    ...kept,
    answered,
    key,
    parts,
    buy,
    id,
    charged,
    refund: (amount: bigint | null) => refundChannel(service.url, amount, parts),
  }
}

test('opens with one deposit, pays with vouchers, and knows its account', async () => {
  const { buy, charged, accounts } = buyer()
  for (const value of [A, B, A]) expect(await buy(value)).toMatchObject({ kind: 'bought', replayed: false })
  expect(service.bench.contract.sent).toEqual(['deposit'])
  expect(await charged()).toBe(3_000n)
  expect([...accounts.values()]).toEqual([
    { balance: 250_000n, charged: 3_000n, signed: 3_000n, pending: null },
  ])
})

test('sends a refused deposit again while it may be taken, and signs no other', async () => {
  const { buy, charged } = buyer()
  service.bench.contract.faults.push({
    lands: false,
    says: { errorReason: 'invalid_batch_settlement_evm_channel_id_mismatch' },
  })
  expect(await buy(A)).toMatchObject({ kind: 'refused', status: 402 })
  expect(await buy(A)).toMatchObject({ kind: 'bought', account: { balance: 250_000n } })
  expect(new Set(service.bench.contract.sent)).toEqual(new Set(['deposit']))
  expect(await charged()).toBe(1_000n)
})

test('tops up when the deposit is used up', async () => {
  const { buy, accounts } = buyer()
  await buy(A)
  const [[id, account] = []] = [...accounts]
  if (id === undefined || account === undefined) throw new Error('no account')
  accounts.set(id, { ...account, balance: 1_000n })
  expect(await buy(A)).toMatchObject({ kind: 'bought' })
  expect(service.bench.contract.sent).toEqual(['deposit', 'deposit'])
})

const DEATHS = [1, 2, 3, 4].flatMap((atWrite) =>
  (['before', 'after'] as const).map((when) => [atWrite, when] as const),
)

describe.each(DEATHS)('killed at write %i, %s it', (atWrite, when) => {
  test('the same command again is charged once for each call', async () => {
    const mortal = buyer()
    mortal.death.atWrite = atWrite
    mortal.death.when = when
    const survivor = buyer(mortal.key, mortalBook(mortal.accounts))
    for (const value of [A, B]) {
      await mortal.buy(value).catch(() => 'killed')
      // A person who has the answer does not ask again.
      if (!mortal.answered.includes(value))
        expect(await survivor.buy(value)).toMatchObject({ kind: 'bought' })
    }
    expect(await survivor.charged()).toBe(2_000n)
    expect(service.bench.contract.sent).toEqual(['deposit'])
    const { signed } = survivor.accounts.get([...survivor.accounts.keys()][0] ?? '') as ChannelAccount
    expect(signed).toBe(2_000n)
  })

  test('another command goes on from there, and nothing is signed beyond the calls', async () => {
    const mortal = buyer()
    mortal.death.atWrite = atWrite
    mortal.death.when = when
    const survivor = buyer(mortal.key, mortalBook(mortal.accounts))
    const kinds: unknown[] = []
    for (const value of [A, B])
      kinds.push(
        await mortal.buy(value).then(
          () => 'bought',
          () => 'killed',
        ),
      )
    expect(await survivor.buy('PL61 1090 1014 0000 0712 1981 2874')).toMatchObject({ kind: 'bought' })
    const account = survivor.accounts.get([...survivor.accounts.keys()][0] ?? '')
    expect(await survivor.charged()).toBe(account?.signed)
    expect(account?.signed).toBeLessThanOrEqual(3_000n)
    expect(service.bench.contract.sent).toEqual(['deposit'])
  })
})

test('asks again for an answer that was lost, and pays once for it', async () => {
  const { buy, charged } = buyer(undefined, undefined, 1)
  await buy(A)
  service.bench.faults.push({ method: 'moveChannel', when: 'after' })
  expect(await buy(B)).toMatchObject({ kind: 'unanswered', code: 'payment_in_doubt' })
  service.bench.faults.length = 0
  expect(await buy(B)).toMatchObject({ kind: 'bought', replayed: true })
  expect(await charged()).toBe(2_000n)
})

test('another call after a lost answer is paid for by the next voucher', async () => {
  const { buy, charged } = buyer(undefined, undefined, 1)
  await buy(A)
  service.bench.faults.push({ method: 'moveChannel', when: 'after' })
  await buy(B)
  service.bench.faults.length = 0
  expect(await buy(A)).toMatchObject({ kind: 'bought', replayed: false })
  expect(await charged()).toBe(3_000n)
})

test('a buyer that lost its file goes on from its own signature and the chain', async () => {
  const first = buyer()
  for (const value of [A, B]) await first.buy(value)
  const second = buyer(first.key)
  expect(await second.buy(A)).toMatchObject({
    kind: 'bought',
    account: { charged: 3_000n, balance: 250_000n },
  })
  expect(service.bench.contract.sent).toEqual(['deposit'])
})

test('signs nothing beyond --max-spend, earlier runs included', async () => {
  const { buy, charged, accounts } = buyer()
  for (const value of [A, B]) await buy(value, { maxSpend: 2_000n })
  expect(await buy(A, { maxSpend: 2_000n })).toEqual({ kind: 'max_spend' })
  expect([...accounts.values()][0]?.signed).toBe(2_000n)
  expect(await charged()).toBe(2_000n)
})

test('deposits no more than it may, and pays no higher price', async () => {
  const { buy, accounts } = buyer()
  expect(await buy(A, { deposit: 249_999n })).toEqual({ kind: 'deposit_too_small', needed: 250_000n })
  expect(await buy(A, { maxAmount: 999n })).toMatchObject({ kind: 'price_too_high' })
  expect(accounts.size).toBe(0)
  expect(service.bench.contract.sent).toEqual([])
})

test('gets a part or all of the rest back, once for each call, and buys again afterwards', async () => {
  const { buy, refund, accounts } = buyer()
  await buy(A)
  expect(await refund(9_000n)).toMatchObject({ kind: 'refunded', amount: 9_000n })
  expect(await refund(null)).toMatchObject({
    kind: 'refused',
    detail: expect.stringContaining('one refund for each voucher'),
  })
  await buy(B)
  expect(await refund(null)).toMatchObject({ kind: 'refunded', amount: 239_000n })
  expect(await refund(null)).toEqual({ kind: 'nothing_left' })
  expect([...accounts.values()][0]).toMatchObject({ balance: 2_000n, charged: 2_000n })
  expect(await buy(B)).toMatchObject({ kind: 'bought' })
  expect(service.bench.contract.sent.filter((type) => type === 'deposit')).toHaveLength(2)
})

test.each<[string, () => Promise<Response>, object]>([
  ['does not answer', () => Promise.reject(new TypeError('reset')), { kind: 'unreachable' }],
  [
    'offers no channel',
    async () => {
      const required = encodePaymentRequiredHeader({ ...channelOffer(), accepts: [] })
      return Response.json({}, { status: 402, headers: { 'PAYMENT-REQUIRED': required } })
    },
    { kind: 'no_channel' },
  ],
  [
    'answers for free',
    async () => {
      const settlement = { success: true, transaction: '', network: 'eip155:8453' } as const
      return Response.json(VERDICT, {
        headers: { 'PAYMENT-RESPONSE': encodePaymentResponseHeader(settlement) },
      })
    },
    { kind: 'no_channel' },
  ],
  [
    'refuses',
    async () => Response.json({ code: 'value_too_long', detail: 'In words.' }, { status: 422 }),
    { kind: 'refused', status: 422, code: 'value_too_long', detail: 'In words.' },
  ],
])('a service that %s is paid nothing', async (_what, answer, expected) => {
  const { buy, accounts } = buyer()
  stubFetch(answer)
  expect(await buy(A)).toMatchObject(expected)
  expect(accounts.size).toBe(0)
})

test('a channel that the book does not have is not paid by while no node tells of it', async () => {
  const { parts } = buyer()
  const readChannel = () => Promise.reject(new NoNode('no node answered'))
  const purchase = {
    url: service.url,
    type: 'iban',
    maxAmount: PRICE,
    deposit: 250_000n,
    maxSpend: null,
  } as const
  expect(await buyOverChannel(purchase, A, { ...parts, readChannel })).toEqual({ kind: 'no_node' })
})

test('a payment stands in the book under the key of its type and value', async () => {
  const { buy, accounts, death } = buyer()
  Object.assign(death, { atWrite: 1, when: 'after' })
  await expect(buy(A)).rejects.toThrow('killed')
  expect([...accounts.values()][0]?.pending?.call).toBe('iban/27/GB')
})

test('a service that corrects every payment is sent four', async () => {
  const { fetch } = globalThis
  let payments = 0
  stubFetch(async (...[url, init]: Parameters<typeof fetch>) => {
    const headers = new Headers(init?.headers)
    if (!headers.has('payment-signature')) return fetch(url, init)
    payments += 1
    headers.delete('payment-signature')
    const offer = await fetch(url, { ...init, headers })
    const body = { ...((await offer.json()) as object), code: 'channel_out_of_step' }
    return Response.json(body, { status: offer.status, headers: offer.headers })
  })
  expect(await buyer().buy(A)).toEqual({ kind: 'not_proven' })
  expect(payments).toBe(4)
})

test('a service too busy to be asked for a refund is not said to have no channels', async () => {
  const busy = await startOddServer()
  busy.behave((res) => res.writeHead(429).end(JSON.stringify({ code: 'too_many_requests', detail: 'Wait.' })))
  const outcome = await refundChannel(busy.url, null, buyer().parts)
  await busy.stop()
  expect(outcome).toEqual({ kind: 'refused', status: 429, code: 'too_many_requests', detail: 'Wait.' })
})

test.each([
  ['not in digits', 'all of it'],
  ['in more digits than there is money', '9'.repeat(31)],
])('a refund whose amount a service names %s counts for nothing', async (_how, named) => {
  const { buy, refund, accounts } = buyer()
  await buy(A)
  stubFetch(async (...asked: Parameters<typeof fetch>) => {
    const reply = await fetchOfNode(...asked)
    const header = reply.headers.get('PAYMENT-RESPONSE')
    if (header === null) return reply
    const settlement = { ...decodePaymentResponseHeader(header), amount: named }
    const headers = { 'PAYMENT-RESPONSE': encodePaymentResponseHeader(settlement) }
    return Response.json(await reply.json(), { headers })
  })
  expect(await refund(null)).toMatchObject({ kind: 'refunded', amount: 0n })
  expect([...accounts.values()]).toMatchObject([{ balance: 250_000n }])
})

test('a refund that fails for another reason than a missing node says so', async () => {
  const find = () => {
    throw new Error('the file cannot be read')
  }
  const { parts } = buyer()
  const refund = refundChannel(service.url, null, { ...parts, book: { ...parts.book, find } })
  await expect(refund).rejects.toThrow('the file cannot be read')
})

test('a service that does not know the path of refunds has no channels', async () => {
  const without = await startOddServer()
  without.behave((res) =>
    res.writeHead(404).end(JSON.stringify({ code: 'not_found', detail: 'No such path.' })),
  )
  const outcome = await refundChannel(without.url, null, buyer().parts)
  await without.stop()
  expect(outcome).toEqual({ kind: 'no_channel' })
})

test('a refund after a lost answer counts the call as charged', async () => {
  const { buy, refund } = buyer(undefined, undefined, 1)
  await buy(A)
  service.bench.faults.push({ method: 'moveChannel', when: 'after' })
  await buy(B)
  service.bench.faults.length = 0
  expect(await refund(null)).toMatchObject({ kind: 'refunded', amount: 248_000n })
})

test('a buyer that lost its file gets its money back by its own signature', async () => {
  const first = buyer()
  for (const value of [A, B]) await first.buy(value)
  expect(await buyer(first.key).refund(null)).toMatchObject({ kind: 'refunded', amount: 248_000n })
})

describe('with a file that is older than a claim', () => {
  /** The file of another machine, say: the service names no account to the vouchers that are signed from it. */
  async function older() {
    const newer = buyer()
    await newer.buy(A)
    const kept = mortalBook(new Map(newer.accounts))
    for (const value of [B, A]) await newer.buy(value)
    service.bench.layer.channels?.maintenance.claimSoon()
    expect(await service.bench.layer.channels?.maintenance.run()).toMatchObject({ claimed: 1 })
    await newer.buy(B)
    return buyer(newer.key, kept)
  }

  test('a buyer goes on from its own signature', async () => {
    const { buy, charged } = await older()
    expect(await buy(A)).toMatchObject({ kind: 'bought', replayed: false, account: { charged: 5_000n } })
    expect(await charged()).toBe(5_000n)
  })

  test('a buyer gets its money back', async () => {
    expect(await (await older()).refund(null)).toMatchObject({ kind: 'refunded', amount: 246_000n })
  })
})

test('whose newest voucher strangers have guessed at gets its answer by the next one, which is not charged', async () => {
  const { buy, accounts, death, charged } = buyer()
  Object.assign(death, { atWrite: 2, when: 'before' })
  await expect(buy(A)).rejects.toThrow('killed')
  const [pending] = [...accounts.values()].map((account) => account.pending)
  const { bench } = service
  bench.layer.channels?.maintenance.claimSoon()
  await bench.layer.channels?.maintenance.run()
  for (let tried = 0; tried < 50; tried += 1)
    await bench.sell(
      { kind: 'object', payload: pending?.payload },
      bench.call(`guess ${tried}`, `stranger ${tried}`),
    )
  expect(await buy(A)).toMatchObject({ kind: 'bought', replayed: true, account: { charged: 1_000n } })
  expect(await charged()).toBe(1_000n)
  expect(await buy(B)).toMatchObject({ kind: 'bought', replayed: false, account: { charged: 2_000n } })
  expect(await charged()).toBe(2_000n)
})
