/** Two replicas on one database that sell on two networks, and settle with one key on both. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../support/postgres.ts'
import { testDatabases } from '../support/test-databases.ts'
import { signOnce, startTwoNetworks, type TwoNetworks } from '../support/two-networks.ts'

type Replica = Awaited<ReturnType<TwoNetworks['start']>>

/** One buyer's calls for one value at the same moment would share a payment. */
const VALUES = [
  'DE89370400440532013000',
  'GB82WEST12345698765432',
  'PL61109010140000071219812874',
  'NL91ABNA0417164300',
  'BE68539007547034',
  'FR1420041010050500013M02606',
]

const databases = testDatabases()
let networks: TwoNetworks
let url: string
let replicas: readonly [Replica, Replica]
const start = () => networks.start({ DATABASE_URL: url })
beforeAll(async () => {
  url = await databases.fresh()
  networks = await startTwoNetworks()
  replicas = [await start(), await start()]
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()))
  await networks.stop()
})

/** A replica answers 503 while the other one works at the same payment; then it is repeated unchanged, as that says. */
async function answered(send: () => ReturnType<Awaited<ReturnType<typeof signOnce>>['send']>) {
  for (;;) {
    const got = await send()
    if (got !== 503) return got
    await sleep(100)
  }
}

test('many sales on both networks at once settle on the chain that they name, each once', async () => {
  const sides = [networks.here, networks.there]
  const [one, other] = replicas
  const payments = await Promise.all(
    VALUES.flatMap((value) =>
      sides.map(async (side) => ({ side, signed: await signOnce(one.url, side, value) })),
    ),
  )
  // Each is sent to both replicas at the same moment.
  const answers = await Promise.all(
    payments.map(async ({ side, signed }) => ({
      side,
      got: await Promise.all([one, other].map(({ url }) => answered(() => signed.send(url)))),
    })),
  )
  for (const { side, got } of answers)
    expect(got).toEqual([got[0], got[0]].map(() => expect.objectContaining({ network: side.network.id })))
  const rows = await run(
    url,
    "select network, count(*)::int as sold from payments where state = 'settled' group by 1 order by 1",
  )
  expect(rows).toEqual(sides.map(({ network }) => ({ network: network.id, sold: VALUES.length })))
  expect(await Promise.all(sides.map((side) => networks.charged(side)))).toEqual([
    VALUES.length,
    VALUES.length,
  ])
})

test('what a replica left in doubt is resolved by another, from the chain of its network', async () => {
  const [one, other] = replicas
  await Promise.all([one.stop(), other.stop()])
  await run(
    url,
    `update payments set state = 'in_doubt', tx = null, log_index = null, settled_at = null, audit = null,
      owner = null, lease_until = 0`,
  )
  const charged = await Promise.all([networks.here, networks.there].map((side) => networks.charged(side)))
  replicas = [await start(), await start()]
  const state = () =>
    run(url, 'select network, state, audit, count(*)::int from payments group by 1, 2, 3 order by 1')
  await expect.poll(state).toEqual(
    [networks.here, networks.there].map(({ network }) => ({
      ...{ network: network.id, state: 'settled', audit: 'found', count: VALUES.length },
    })),
  )
  for (const side of [networks.here, networks.there])
    expect(await replicas[1].buy(side)).toMatchObject({ kind: 'bought' })
  const after = await Promise.all([networks.here, networks.there].map((side) => networks.charged(side)))
  expect(after).toEqual(charged.map((count) => count + 1))
})
