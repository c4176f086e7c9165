/**
 * A buyer made of stock parts: `@x402/fetch`, the client scheme of `@x402/evm`, and its storage in a folder. Each act is that of
 * a new process, which knows what is in the folder and nothing else.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { freshAccount } from '../support/chain-payments.ts'
import { channelClient } from '../support/channel-client.ts'
import { validValue } from '../support/identifiers.ts'
import { type ChannelService, startChannelService } from './channel-service.ts'

const PRICE = 1_000
/** The least that a service takes. */
const DEPOSIT = 250_000

let service: ChannelService
let buyer: ReturnType<typeof stockBuyer>
beforeEach(async () => {
  service = await startChannelService()
  buyer = stockBuyer()
})
afterEach(async () => {
  buyer.loseFiles()
  await service.stop()
})

function stockBuyer() {
  const { contract, store, layer } = service.bench
  const account = freshAccount()
  const directory = mkdtempSync(join(tmpdir(), 'stock-buyer-'))
  let values = 0
  const value = () => {
    values += 1
    return validValue('iban', values)
  }
  /** Replies that are still to be lost. */
  let losing = 0
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const isPaid = request.headers.has('PAYMENT-SIGNATURE')
    const reply = await fetch(request)
    if (losing === 0 || !isPaid) return reply
    losing -= 1
    await reply.arrayBuffer()
    throw new TypeError('the reply is lost')
  }
  const readContract = async ({ args: [id] }: { args: readonly string[] }) => {
    const { balance, totalClaimed } = contract.state(String(id).toLowerCase())
    return [balance, totalClaimed]
  }
  const client = () => channelClient({ account, directory, readContract, fetch: send })
  return {
    value,
    /** Resolves to the status. */
    check: async (asked = value(), type = 'iban') => (await client().check(service.url, asked, type)).status,
    list: async (length: number) =>
      (await client().checkList(service.url, Array.from({ length }, value))).status,
    refund: (amount?: number) => client().refund(service.url, amount?.toString()),
    claim: () => {
      layer.channels?.maintenance.claimSoon()
      return layer.channels?.maintenance.run()
    },
    lose(replies: number) {
      losing = replies
    },
    loseFiles: () => rmSync(directory, { recursive: true, force: true }),
    /** What the service has charged, and what the contract holds; in atomic units. */
    async purse() {
      const [row] = await store.listChannels(1)
      const { balance, totalClaimed } = contract.state(row?.id ?? '')
      return { charged: Number(row?.charged), left: Number(balance - totalClaimed) }
    },
  }
}

const sent = () => service.bench.contract.sent

it('in nine acts opens, calls, changes type, sends a list, tops up, goes on after a claim, takes its money back, and opens again', async () => {
  let calls = 0
  const bought = async (status: number, values = 1) => {
    calls += values
    expect(status).toBe(200)
    expect((await buyer.purse()).charged).toBe(calls * PRICE)
  }
  await bought(await buyer.check())
  expect(sent()).toEqual(['deposit'])
  await bought(await buyer.check())
  await bought(await buyer.check('5260250274', 'pl-nip'))
  await bought(await buyer.list(240), 240)
  expect(sent()).toEqual(['deposit'])
  await bought(await buyer.list(20), 20)
  expect(sent()).toEqual(['deposit', 'deposit'])
  expect(await buyer.claim()).toMatchObject({ claimed: 1, failed: 0 })
  expect(await buyer.purse()).toEqual({ charged: 263 * PRICE, left: 2 * DEPOSIT - 263 * PRICE })
  await bought(await buyer.check())
  await buyer.refund(7 * PRICE)
  expect((await buyer.purse()).left).toBe(2 * DEPOSIT - 271 * PRICE)
  await bought(await buyer.check())
  await buyer.refund()
  expect(await buyer.purse()).toEqual({ charged: 265 * PRICE, left: 0 })
  await bought(await buyer.check())
  expect(sent().filter((act) => act === 'deposit')).toHaveLength(3)
})

it.each([
  ['the reply to its deposit is lost', async () => buyer.lose(1)],
  [
    'replies to three calls are lost',
    async () => {
      await buyer.check()
      buyer.lose(3)
    },
  ],
  [
    'the service is another process',
    async () => {
      await buyer.check()
      await service.bench.restart()
    },
  ],
  [
    'its file is lost',
    async () => {
      await buyer.check()
      await buyer.check()
      buyer.loseFiles()
    },
  ],
] as const)('pays each call once from one deposit when %s', async (_fault, happen) => {
  await happen()
  const before = (await buyer.purse()).charged || 0
  const asked = buyer.value()
  const statuses: (number | undefined)[] = []
  for (let tries = 0; tries < 6 && statuses.at(-1) !== 200; tries += 1)
    statuses.push(await buyer.check(asked).catch(() => undefined))
  expect(statuses.at(-1)).toBe(200)
  expect((await buyer.purse()).charged).toBe(before + PRICE)
  expect(await buyer.check()).toBe(200)
  expect((await buyer.purse()).charged).toBe(before + 2 * PRICE)
  expect(sent()).toEqual(['deposit'])
})
