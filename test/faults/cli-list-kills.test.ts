/** A list is bought although the buyer's process is killed again and again, each time at another byte of its traffic. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { createPublicClient, type Hex, http, parseAbiItem } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, test, vi } from 'vitest'
import type { PaidPayment, Statement } from '../../src/lists/statement/format.ts'
import { USDC } from '../../src/payments/networks/usdc.ts'
import { CLI, outcomeOf, run } from '../support/command.ts'
import { startCountingRelay } from '../support/counting-relay.ts'
import { validValue } from '../support/identifiers.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { scratchDir } from '../support/service-process.ts'

// A process for each kill, one after another, however busy the machine is.
vi.setConfig({ testTimeout: 1_200_000 })

const PRICE = 1_000n
/** Lists that are longer than what all kills together let through; `bytes` is about the traffic of two payments, or three. */
const SHORT = { batch: 3, perKill: 4.5, bytes: 24_000 }
const LONG = { batch: 100, perKill: 250, bytes: 250_000 }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

test.concurrent.for<[string, number, typeof SHORT, readonly string[], number]>([
  // A hundred kills, shared by lists that are bought beside each other.
  ['by itself, one of four', 25, SHORT, [], 0],
  ['by itself, two of four', 25, SHORT, [], 1],
  ['by itself, three of four', 25, SHORT, [], 2],
  ['by itself, four of four', 25, SHORT, [], 3],
  ['by itself, 5,000 values in two columns', 20, LONG, ['--column', 'iban', '--column', 'vat'], 0],
])('each payment %s, %i kills: nothing is paid twice, and nothing is missing', async ([
  ,
  kills,
  list,
  way,
  seed,
], { expect }) => {
  const relay = await startCountingRelay(service.port)
  const random = new SeededRandom(20_261_121 + seed)
  const folder = scratchDir()
  const types = way.includes('--column') ? (['iban', 'eu-vat'] as const) : (['iban'] as const)
  const length = Math.ceil(kills * list.perKill)
  const values = Array.from({ length: length / types.length }, (_, seed) =>
    types.map((type) => validValue(type, seed)),
  )
  const file = join(folder.path, 'list.csv')
  const out = join(folder.path, 'out.csv')
  const lines = [types.length > 1 ? ['iban', 'vat'] : ['iban'], ...values]
  writeFileSync(file, `${lines.map((cells) => cells.join(',')).join('\n')}\n`)
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  const funds = BigInt(2 * length) * PRICE
  await service.sandbox.fund(address, funds)
  const rpcUrl = service.sandbox.rpcUrl ?? ''
  const command = [
    CLI,
    ...[
      'buy',
      ...(types.length > 1 ? [] : types),
      '--file',
      file,
      '--out',
      out,
      '--batch',
      String(list.batch),
      '--url',
      relay.url,
      ...way,
    ],
  ]
  const env = { BUYER_PRIVATE_KEY: key }

  let killed = 0
  while (killed < kills) {
    const { child, ended } = run(command, { env })
    relay.cutAfter(random.int(list.bytes), () => child.kill('SIGKILL'))
    expect((await ended).signal, 'the list ended before it was killed often enough').toBe('SIGKILL')
    killed += 1
    expect(existsSync(out)).toBe(false)
  }
  relay.cutAfter(Number.POSITIVE_INFINITY, () => {})
  const { code, stderr } = await outcomeOf(command, { env })
  expect([code, stderr[0]?.replace(/; \d+ repeated, checked once$/, '')]).toEqual([
    0,
    `checked  ${length}: ${length} valid, 0 invalid`,
  ])

  const [header = [], ...rows] = parse(readFileSync(out, 'utf8')) as string[][]
  const verdicts = header.flatMap((name, at) => (/^(?:\S+_)?valid$/.test(name) ? [at] : []))
  expect(rows.map((cells) => [...cells.slice(0, types.length), ...verdicts.map((at) => cells[at])])).toEqual(
    values.map((cells) => [...cells, ...types.map(() => 'true')]),
  )
  const distinct = new Set(values.flat()).size
  const paid = BigInt(distinct) * PRICE
  expect(funds - (await service.balance(address))).toBe(paid)

  const statement = join(folder.path, 'out.statement.json')
  const byService = ['--url', service.url, '--rpc-url', rpcUrl]
  const proof = await outcomeOf([CLI, 'verify', statement, out, '--json', ...byService], {})
  expect(JSON.parse(proof.stdout.join(''))).toMatchObject({
    ...{ proved: { values: distinct, named: distinct, rows: length }, paid: String(paid) },
    ...{ unproven: '0', file: 'same_hash' },
  })
  const { payments } = JSON.parse(readFileSync(statement, 'utf8')) as Statement
  const named = payments.map(
    (payment) => ((payment as PaidPayment).settlement as { transaction: string }).transaction,
  )
  expect(named.toSorted()).toEqual((await transfersOf(rpcUrl, address)).toSorted())
  folder.remove()
  await relay.stop()
})

/** The transactions in which the chain moved tokens of a payer. */
async function transfersOf(rpcUrl: string, payer: Hex): Promise<readonly string[]> {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const logs = await client.getLogs({
    address: USDC,
    event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)'),
    args: { from: payer },
    fromBlock: 0n,
  })
  return logs.map(({ transactionHash }) => transactionHash)
}
