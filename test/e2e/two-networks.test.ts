/** One service on two networks, each a chain on this machine; test/postgres/two-networks.test.ts has two replicas of it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SURFACES } from '../../src/command-line/commands.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import { scratchDir } from '../support/service-process.ts'
import { type Networked, signOnce, startTwoNetworks, type TwoNetworks } from '../support/two-networks.ts'

const scratch = scratchDir()
const dataDir = join(scratch.path, 'data')
let networks: TwoNetworks
let service: Awaited<ReturnType<TwoNetworks['start']>>
beforeAll(async () => {
  mkdirSync(dataDir)
  networks = await startTwoNetworks()
  service = await networks.start({ DATA_DIR: dataDir })
})
afterAll(async () => {
  await service.stop()
  await networks.stop()
  scratch.remove()
})

const SIDES = ['here', 'there'] as const
const idsOf = ({ here, there }: TwoNetworks) => [here, there].map(({ network }) => network.id)

interface Row {
  readonly network: string
  readonly state: string
  readonly tx: string | null
  readonly audit: string | null
}
const rows = (): readonly Row[] => {
  const database = new Database(join(dataDir, 'ledger.sqlite'), { readonly: true })
  try {
    return database.prepare('select network, state, tx, audit from payments').all() as Row[]
  } finally {
    database.close()
  }
}
/** Whether a transaction is on the chain of a network. */
const isOn = async ({ rpcUrl }: Networked, hash: string | null): Promise<boolean> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] })
  const reply = await fetch(rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  return ((await reply.json()) as { result: unknown }).result !== null
}

describe('one service on two networks', () => {
  test.each(
    SIDES.flatMap((side) => SURFACES.map((surface) => [side, surface] as const)),
  )('sells %s over %s', async (side, surface) => {
    const at = networks[side]
    const before = await networks.charged(at)
    const bought = await service.buy(at, surface)
    expect(bought).toMatchObject({ kind: 'bought', verdict: { valid: true }, replayed: false })
    if (bought.kind !== 'bought') throw new Error(bought.kind)
    expect(bought.settlement).toMatchObject({ success: true, network: at.network.id })
    expect(await isOn(at, bought.settlement.transaction)).toBe(true)
    expect(await networks.charged(at)).toBe(before + 1)
  })

  test('answers a payment on either again, and tells its state', async () => {
    for (const side of SIDES) {
      const at = networks[side]
      const payment = await signOnce(service.url, at)
      const first = await payment.send(service.url)
      const charged = await networks.charged(at)
      expect(first).toMatchObject({ network: at.network.id })
      expect(await payment.send(service.url)).toEqual(first)
      expect(await networks.charged(at)).toBe(charged)
      const state = await fetch(`${service.url}/payments/${payment.payer}/${payment.nonce}`)
      expect(await state.json()).toMatchObject({ state: 'settled' })
    }
  })

  test('lists the first one alone, and measures both', async () => {
    const listing = (await (await fetch(`${service.url}/api/types`)).json()) as Record<string, unknown>
    expect(JSON.stringify(listing)).toContain(networks.here.network.id)
    expect(JSON.stringify(listing)).not.toContain(networks.there.network.id)
    const metrics = await service.metrics()
    for (const { network } of [networks.here, networks.there]) {
      expect(metrics).toContain(`format_checker_chain_up{network="${network.name}"} 1`)
      expect(metrics).toMatch(
        new RegExp(`format_checker_settlements_left\\{network="${network.name}"\\} \\d`),
      )
    }
  })

  test('never takes real money on one and test money on the other', async () => {
    const store = { DATA_DIR: join(scratch.path, 'mixed') }
    await expect(networks.start(store, BASE)).rejects.toThrow('real money and test money never mix')
  })

  test('after a restart learns from the right chain what became of each payment, and audits all', async () => {
    await service.stop()
    const doubted = new Database(join(dataDir, 'ledger.sqlite'))
    const sent = doubted.prepare('select tx from payments order by tx').all()
    doubted.exec(
      "update payments set state = 'in_doubt', tx = null, log_index = null, settled_at = null, audit = null " +
        'where rowid in (select min(rowid) from payments group by network)',
    )
    expect(doubted.prepare("select network from payments where state = 'in_doubt' order by 1").all()).toEqual(
      idsOf(networks).map((network) => ({ network })),
    )
    doubted.close()
    const before = await Promise.all(SIDES.map((side) => networks.charged(networks[side])))

    service = await networks.start({ DATA_DIR: dataDir })
    await expect
      .poll(() => rows().filter(({ state, audit }) => state === 'settled' && audit === 'found').length)
      .toBe(8)
    const found = rows()
    expect(
      found.map(({ tx }) => ({ tx })).toSorted((a, b) => ((a.tx ?? '') < (b.tx ?? '') ? -1 : 1)),
    ).toEqual(sent)
    for (const { network, tx } of found) {
      const at = [networks.here, networks.there].find((each) => each.network.id === network) as Networked
      expect(await isOn(at, tx)).toBe(true)
    }
    for (const side of SIDES) expect(await service.buy(networks[side])).toMatchObject({ kind: 'bought' })
    const after = await Promise.all(SIDES.map((side) => networks.charged(networks[side])))
    expect(after).toEqual(before.map((count) => count + 1))
  })

  test('goes on selling on one while the other has no node', async () => {
    const { here, there } = networks
    await there.stop()
    await expect.poll(service.metrics).toContain(`format_checker_chain_up{network="${there.network.name}"} 0`)
    expect(await service.buy(here)).toMatchObject({ kind: 'bought' })
    expect(await service.buy(there)).toMatchObject({ kind: 'refused', signed: true })
    const metrics = await service.metrics()
    const trouble = (name: string) =>
      metrics.includes(`format_checker_payment_trouble{reason="chain_unavailable",network="${name}"} 1`)
    expect([here, there].map(({ network }) => trouble(network.name))).toEqual([false, true])
  })
})
