/**
 * What a buyer signed is on its disk before it is sent: the power may go after any call to the system. A disk that flushes
 * nothing must be noticed.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { parse } from 'csv-parse/sync'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChannelFile } from '../../packages/command/src/channel/channel-file.ts'
import { openJournal } from '../../packages/command/src/list/journal.ts'
import { openSpending } from '../../packages/command/src/mcp/spending.ts'
import { CLI } from '../support/command.ts'
import { validIban } from '../support/identifiers.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'
import { traceCalls, tracedDisk } from './traced-disk.ts'

const PRICE = 1_000n
/** Images of the disk after each call. */
const IMAGES = 5

let service: TestService
beforeAll(async () => {
  service = await startTestService({ CHANNELS: 'on' })
})
afterAll(() => service.stop())

let scratch: ScratchDir
let folder: string
beforeEach(() => {
  scratch = scratchDir()
  folder = join(scratch.path, 'files')
  mkdirSync(folder)
})
afterEach(() => scratch.remove())

/** The calls of commands that a new buyer runs one after another. */
async function trace(commands: readonly (readonly string[])[], input = '') {
  const key = generatePrivateKey()
  await service.sandbox.fund(privateKeyToAccount(key).address, 1_000_000n)
  const env = { HOME: scratch.path, BUYER_PRIVATE_KEY: key }
  const lines: string[] = []
  for (const args of commands) {
    const command = [CLI, ...args, '--url', service.url]
    const traced = await traceCalls(command, { folder: scratch.path, env, input })
    expect(traced.code, traced.stderr.join('\n')).toBe(0)
    lines.push(...traced.lines)
  }
  return lines
}

/** How many images of the disk do not have what was sent by then, and how many were looked at. */
function lostIn(
  lines: readonly string[],
  holds: (image: string, sent: number) => boolean,
  flushes = true,
): readonly [lost: number, images: number] {
  const image = join(scratch.path, 'image')
  const disk = tracedDisk(folder, flushes)
  const random = new SeededRandom(20_261_127)
  const holdsAll: typeof holds = (...args) => {
    try {
      return holds(...args)
    } catch {
      // A file that cannot be opened has lost what was in it.
      return false
    }
  }
  let [sent, lost, images] = [0, 0, 0]
  for (const line of lines) {
    const request = disk.apply(line)
    if (request !== null && /^payment-signature: /im.test(request)) sent += 1
    if (sent === 0 || !line.includes(') ')) continue
    for (let number = 0; number < IMAGES; number += 1) {
      rmSync(image, { recursive: true, force: true })
      mkdirSync(image)
      disk.writeImage(image, random)
      images += 1
      if (!holdsAll(image, sent)) lost += 1
    }
  }
  expect(sent).toBeGreaterThan(1)
  return [lost, images]
}

function expectKept(lines: readonly string[], holds: (image: string, sent: number) => boolean) {
  const [lost, images] = lostIn(lines, holds)
  const [noticed] = lostIn(lines, holds, false)
  console.log(`${images} images, ${lost} without a payment; ${noticed} on a disk that flushes nothing`)
  expect([lost, noticed > 0]).toEqual([0, true])
}

test('a list: each payment that was sent is in the journal, until output and statement are whole', async () => {
  const values = Array.from({ length: 8 }, (_, at) => validIban('DE', at + 1))
  const file = join(scratch.path, 'list.csv')
  writeFileSync(file, `iban\n${values.join('\n')}\n`)
  const out = join(folder, 'out.csv')
  const lines = await trace([['buy', 'iban', '--file', file, '--out', out, '--batch', '2', '--quiet']])

  const isDone = (image: string) => {
    const [output, statement] = ['out.csv', 'out.statement.json'].map((name) => join(image, name))
    if (!existsSync(output ?? '') || !existsSync(statement ?? '')) return false
    const rows = parse(readFileSync(output ?? '')) as string[][]
    return rows.length === 1 + values.length && JSON.parse(readFileSync(statement ?? '', 'utf8')) !== null
  }
  expectKept(lines, (image, sent) => {
    const path = join(image, 'out.csv.journal')
    if (!existsSync(path)) return isDone(image)
    const journal = openJournal(path, { type: 'iban', url: `${service.url}/` })
    const { spent, uncertain } = journal.totals()
    const count = journal.pending().length + journal.payments().length
    journal.close({ isDone: false })
    return (count >= sent && spent + uncertain >= 2n * PRICE * BigInt(sent)) || isDone(image)
  })
})

test('the sum of the day: each payment that was sent counts', async () => {
  const messages = [
    {
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
    },
    ...[1, 2, 3].map((seed) => ({
      method: 'tools/call',
      params: { name: 'validate_iban', arguments: { value: validIban('DE', seed) } },
    })),
  ].map((message, id) => JSON.stringify({ jsonrpc: '2.0', id, ...message }))
  const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const input = [...messages.toSpliced(1, 0, initialized), ''].join('\n')
  const lines = await trace([['mcp', '--spending', join(folder, 'spending.sqlite')]], input)

  expectKept(lines, (image, sent) => {
    const spending = openSpending(join(image, 'spending.sqlite'), 1_000_000n, Date.now)
    const today = spending.today()
    spending.close()
    return today >= PRICE * BigInt(sent)
  })
})

test('a channel: each voucher that was sent is in its file', async () => {
  const path = join(folder, 'channel.sqlite')
  const common = ['--channel-file', path, '--rpc-url', service.sandbox.rpcUrl ?? '', '--quiet']
  const lines = await trace(
    [1, 2, 3].map((seed) => ['buy', 'iban', validIban('DE', seed), '--channel', ...common]),
  )

  expectKept(lines, (image, sent) => {
    const file = join(image, 'channel.sqlite')
    if (!existsSync(file)) return false
    // Rolls back what was under way.
    openChannelFile(file).close()
    const database = new Database(file, { readonly: true })
    const signed = database.prepare('SELECT signed FROM channel').pluck().get() as string | undefined
    database.close()
    return BigInt(signed ?? 0) >= PRICE * BigInt(sent)
  })
})
