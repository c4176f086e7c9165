import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { giveEther } from '../../../src/sandbox/chain/provision.ts'
import { type LiveService, startLiveService, startWorld, type World } from '../../support/live-service.ts'

const VALUE = 'DE89370400440532013000'

let world: World
let service: LiveService | undefined
let serial = 0
beforeAll(async () => {
  world = await startWorld()
})
afterEach(async () => {
  await service?.stop()
  service = undefined
})
afterAll(() => world.stop())

/** Gas on the local chain costs many times what it does on Base. */
const start = async (key: `0x${string}`, more: Readonly<Record<string, string>> = {}) => {
  const settings = await world.settings('self', `self-${serial++}`)
  service = await startLiveService({
    ...settings,
    SETTLEMENT_KEY: key,
    SETTLEMENT_MAX_COST_USD: '1000',
    SETTLEMENT_DAILY_LOSS_USD: '100000',
    // Else a settlement here would cost more than it brings in.
    SETTLEMENT_ETH_USD: '1',
    ...more,
  })
  return service
}
const read = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>

describe('a service that is its own facilitator', () => {
  test('settles with its key, pays the gas, and says so in the listing', async () => {
    const key = generatePrivateKey()
    const rpcUrl = world.sandbox.rpcUrl ?? ''
    await giveEther(rpcUrl, privateKeyToAccount(key).address)
    const { url, check, rows } = await start(key)
    const buyers: PrivateKeyAccount[] = []
    while (buyers.length < 8) buyers.push(await world.newBuyer())
    const before = await world.sandbox.chainReader.balance(world.sandbox.payTo)
    const answers = await Promise.all(
      buyers.map(async (buyer) => check('iban', VALUE, { 'PAYMENT-SIGNATURE': await world.pay(buyer) })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await world.sandbox.chainReader.balance(world.sandbox.payTo)).toBe(before + 8_000n)
    expect(rows().map(({ state }) => state)).toEqual(Array(8).fill('settled'))
    // Those that gathered while one was broadcast left in one transaction.
    expect(rows().every(({ tx }) => tx !== null)).toBe(true)
    expect((await read(`${url}/api/types`)).facilitator).toBe(`${url}/docs/operations#settling-yourself`)
    expect(await read(`${url}/status.json`)).toMatchObject({ payments: { state: 'ok', reasons: [] } })
  })

  test('without gas pauses money and says why, and charges no one', async () => {
    const { url, check, rows, logged } = await start(generatePrivateKey())
    await expect
      .poll(() => read(`${url}/status.json`))
      .toMatchObject({ payments: { state: 'paused', reasons: ['settlement_account_empty'] } })
    const buyer = await world.newBuyer()
    const answer = await check('iban', VALUE, { 'PAYMENT-SIGNATURE': await world.pay(buyer) })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'sales_paused' })
    expect(rows()).toEqual([])
    expect(await world.sandbox.chainReader.balance(buyer.address)).toBe(1_000_000n)
    expect(logged.join()).toContain('settlement_account_empty')
    expect((await fetch(`${url}/api/types`)).status).toBe(200)
  })
  test('pauses sales while gas costs more than SETTLEMENT_MAX_COST_USD, and charges no one', async () => {
    const key = generatePrivateKey()
    await giveEther(world.sandbox.rpcUrl ?? '', privateKeyToAccount(key).address)
    const { url, check } = await start(key, { SETTLEMENT_MAX_COST_USD: '0.000001' })
    const buyer = await world.newBuyer()
    const header = { 'PAYMENT-SIGNATURE': await world.pay(buyer) }
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await check('iban', VALUE, header)
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'sales_paused'])
    }
    expect(await read(`${url}/status.json`)).toMatchObject({
      payments: { state: 'paused', reasons: ['settlement_too_expensive'] },
    })
    expect(await world.sandbox.chainReader.balance(buyer.address)).toBe(1_000_000n)
  })

  test('refuses what could lose more than a day may, charges no one, and says why', async () => {
    const key = generatePrivateKey()
    const rpcUrl = world.sandbox.rpcUrl ?? ''
    await giveEther(rpcUrl, privateKeyToAccount(key).address)
    const { url, check, rows, logged } = await start(key, { SETTLEMENT_DAILY_LOSS_USD: '0.000001' })
    const buyer = await world.newBuyer()
    const header = { 'PAYMENT-SIGNATURE': await world.pay(buyer) }
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await check('iban', VALUE, header)
      expect(answer.status).toBe(503)
      // Until midnight UTC.
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await answer.json()).toMatchObject({ code: 'sales_paused', charged: false, retry: 'unchanged' })
    }
    expect(rows().filter(({ state }) => state === 'settled')).toEqual([])
    expect(await world.sandbox.chainReader.balance(buyer.address)).toBe(1_000_000n)
    expect(await read(`${url}/status.json`)).toMatchObject({
      payments: { state: 'degraded', reasons: ['daily_loss_reached'] },
    })
    expect(logged.join()).toContain('daily_loss_reached')
  })

  test('books what each sale brings in and has cost, by day and payer', async () => {
    const key = generatePrivateKey()
    const rpcUrl = world.sandbox.rpcUrl ?? ''
    await giveEther(rpcUrl, privateKeyToAccount(key).address)
    const { check, treasury } = await start(key)
    const buyer = await world.newBuyer()
    expect((await check('iban', VALUE, { 'PAYMENT-SIGNATURE': await world.pay(buyer) })).status).toBe(200)
    await expect
      .poll(() => treasury())
      .toMatchObject({ earned: 1_000, sales: 1, reserved: 0, lost: 0, overrun: 0 })
    expect(treasury()).toMatchObject({ gas: expect.toSatisfy((gas: number) => gas > 50_000) })
    expect(treasury()).toMatchObject({
      spent: expect.toSatisfy((spent: number) => spent > 0 && spent < 1_000),
    })
    expect(treasury(buyer.address)).toMatchObject({ earned: 1_000, sales: 1 })
  })
})
