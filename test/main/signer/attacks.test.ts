import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { eip3009ABI, refundTypes } from '@x402/evm'
import {
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseTransaction,
  recoverTransactionAddress,
  verifyTypedData,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, test as anyTest, beforeAll, describe, expect } from 'vitest'
import { createLog } from '../../../src/log.ts'
import { listenSigner } from '../../../src/main/signer/listen-signer.ts'
import type { TransactionCall } from '../../../src/payments/chain/contract-call.ts'
import { AGGREGATOR, batchOf, callOfAll } from '../../../src/payments/chain/settlement-calls.ts'
import { channelDomain } from '../../../src/payments/channels/voucher/digests.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import type { JsonObject } from '../../../src/values/json.ts'
import { CLI, run } from '../../support/command.ts'
import { LACKS } from '../../support/platform.ts'
import { type SignerProcess, startSigner, talk } from '../../support/signer-process.ts'

const test = anyTest.skipIf(LACKS.unixSockets)

/** A day's worth of two and a half of the transactions below. */
const GAS = { nonce: 0, gas: '100000', maxFeePerGas: '10000000000', maxPriorityFeePerGas: '1' }
const DAILY_USD = '12.5'
const STRANGER = privateKeyToAccount(generatePrivateKey()).address
const keys = { settlement: generatePrivateKey(), authorizer: generatePrivateKey() }
const account = privateKeyToAccount(keys.settlement)
const authorizer = privateKeyToAccount(keys.authorizer)
const ZERO: Hex = `0x${'00'.repeat(32)}`

const transfer = encodeFunctionData({
  abi: eip3009ABI,
  functionName: 'transferWithAuthorization',
  args: [STRANGER, STRANGER, 1_000n, 0n, 9_999_999_999n, ZERO, `0x${'11'.repeat(65)}`],
} as never)
const PAID = { to: BASE.token.address, data: transfer }
const CHANNELS = BASE.contracts.channels
const ACTS = parseAbi([
  'function settle(address receiver, address token)',
  'function finalizeWithdrawals(address receiver, address token)',
  'function multicall(bytes[] data)',
])
const SETTLE = encodeFunctionData({ abi: ACTS, functionName: 'settle', args: [STRANGER, STRANGER] })
const WITHDRAWAL = encodeFunctionData({
  abi: ACTS,
  functionName: 'finalizeWithdrawals',
  args: [STRANGER, STRANGER],
})
const multicall = (acts: readonly Hex[]) =>
  encodeFunctionData({ abi: ACTS, functionName: 'multicall', args: [acts] })
/** An ERC-20 call of the account's own: `approve`. */
const APPROVE = { to: BASE.token.address, data: `0x095ea7b3${'00'.repeat(64)}` as Hex }

let directory: string
let signer: SignerProcess
const settings = {
  SETTLEMENT_KEY: keys.settlement,
  RECEIVER_AUTHORIZER_KEY: keys.authorizer,
  SIGNER_DAILY_USD: DAILY_USD,
  SIGNER_DAILY_REFUNDS_USD: '1',
  // Twenty times of it for 100,000 gas are 10 gwei.
  SETTLEMENT_MAX_COST_USD: '0.25',
  SETTLEMENT_ETH_USD: '5000',
}
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'format-checker-test-'))
  signer = await startSigner(directory, settings)
})
afterAll(async () => {
  await signer.stop()
  rmSync(directory, { recursive: true })
})

const ask = async (request: object) => {
  const [line = '{}'] = await talk(signer.socket, [JSON.stringify(request)])
  return JSON.parse(line) as { value?: string; refused?: string }
}
const transaction = (more: object) => ask({ ask: 'transaction', key: 'settlement', ...GAS, ...more })
const jws = (key: string, header: object, payload: object) => {
  const part = (each: object) => Buffer.from(JSON.stringify(each)).toString('base64url')
  return ask({ ask: 'jws', key, input: `${part(header)}.${part(payload)}` })
}

/** The last two bytes say how many of those before them are the batch. */
const shortened = ({ to, data }: TransactionCall) => ({ to, data: `${data.slice(0, -4)}00b2` })

describe('a process that can only talk to the socket', () => {
  test('reads public keys, and the socket is for owner and group alone', async () => {
    const { value } = await ask({ ask: 'keys' })
    expect(value).toMatchObject({
      chainId: 8453,
      settlement: account.address,
      authorizer: authorizer.address,
    })
    expect(JSON.stringify(value)).not.toMatch(/"d"/)
    expect(statSync(signer.socket).mode & 0o777).toBe(0o660)
  })

  test.each([
    ['to another contract', { to: STRANGER, data: transfer }],
    ['of ether to a stranger', { to: STRANGER, data: '0x' }],
    ['of an approval', APPROVE],
    [
      'of a batch in another token',
      callOfAll(
        [1, 2].map(() => ({ ...PAID, to: STRANGER })),
        'deployed',
      ),
    ],
    [
      'of a batch without payments',
      { to: AGGREGATOR, data: batchOf([PAID], 'deployed', 'settle').data.slice(0, 90) },
    ],
    [
      'of a batch with more behind it',
      { to: AGGREGATOR, data: `${batchOf([PAID], 'deployed', 'settle').data}00` },
    ],
    ['of a batch that only tries', batchOf([PAID, PAID], 'deployed', 'all or nothing')],
    ['of code that stays on the chain', { to: null, data: '0x60806040' }],
    ['of a batch of which only a part is run', shortened(batchOf([PAID, PAID], 'sent along', 'settle'))],
    ['with a payment that is cut off', { ...PAID, data: transfer.slice(0, 100) }],
    ['without a price', { ...PAID, maxFeePerGas: null }],
    ['with a negative price', { ...PAID, maxFeePerGas: '-1' }],
    ['of another key', { ...PAID, key: 'authorizer' }],
    ['to no address', { to: 'x', data: '0x' }],
    ['of a payment with bytes behind it', { ...PAID, data: `${transfer}00` }],
    ['of another function of the channels', { to: CHANNELS, data: WITHDRAWAL }],
    [
      'of another function of the channels among theirs',
      { to: CHANNELS, data: multicall([SETTLE, WITHDRAWAL]) },
    ],
    ['of an act of the channels with bytes behind it', { to: CHANNELS, data: `${SETTLE}00` }],
    ['of an act of the channels that is cut off', { to: CHANNELS, data: SETTLE.slice(0, 60) }],
    [
      'that gives a nonce up at 475 gwei',
      { to: account.address, data: '0x', gas: '21000', maxFeePerGas: '475000000000' },
    ],
    [
      'that gives a nonce up with a block of gas',
      { to: account.address, data: '0x', gas: '16000000', maxFeePerGas: '1' },
    ],
    ['of a payment with a block of gas', { ...PAID, gas: '16000000', maxFeePerGas: '1' }],
    ['with a tip above its price', { ...PAID, maxFeePerGas: '1', maxPriorityFeePerGas: '2' }],
  ])('gets no transaction %s', async (_name, call) => {
    expect(await transaction(call)).toEqual({ refused: expect.any(String) })
  })

  test('gets the acts of channels that a service makes', async () => {
    const cheap = { gas: '100000', maxFeePerGas: '1' }
    for (const data of [SETTLE, multicall([SETTLE, SETTLE])]) {
      const { value } = await transaction({ to: CHANNELS, data, ...cheap })
      const signed = parseTransaction(value as `0x02${string}`)
      expect([signed.to, signed.data]).toEqual([CHANNELS.toLowerCase(), data])
    }
  })

  test('gets refunds of a day’s worth of money and no more, also after a restart', async () => {
    const refund = async (amount: string) => {
      const message = { channelId: ZERO, nonce: '1', amount }
      return ask({ ask: 'typed', key: 'authorizer', primaryType: 'Refund', message })
    }
    expect(await refund('1000001')).toEqual({ refused: 'the refunds of the day are spent' })
    expect(await refund('999990')).toHaveProperty('value')
    await signer.stop('SIGKILL')
    signer = await startSigner(directory, settings)
    expect(await refund('20')).toEqual({ refused: 'the refunds of the day are spent' })
    expect(await refund('5')).toHaveProperty('value')
  })

  test('gets claims of no more than a payer signed for', async () => {
    const entry = { channelId: ZERO, maxClaimableAmount: '5', totalClaimed: '5' }
    const claim = (claims: unknown) =>
      ask({ ask: 'typed', key: 'authorizer', primaryType: 'ClaimBatch', message: { claims } })
    expect(await claim([entry, entry])).toHaveProperty('value')
    for (const claims of [
      [],
      'x',
      [{ ...entry, totalClaimed: '6' }],
      [{ ...entry, channelId: '0x12' }],
      [{ ...entry, totalClaimed: -1 }],
      Array.from({ length: 65 }, () => entry),
    ])
      expect(await claim(claims)).toHaveProperty('refused')
  })

  test.each([
    ['another type', { primaryType: 'TransferWithAuthorization', message: {} }],
    ['a member of every object', { primaryType: 'constructor', message: {} }],
    ['no message', { primaryType: 'Refund', message: null }],
    ['another key', { primaryType: 'Refund', key: 'settlement', message: {} }],
    ['a message that lacks members', { primaryType: 'Refund', message: { channelId: ZERO } }],
  ])('gets no typed data of %s', async (_name, form) => {
    expect(await ask({ ask: 'typed', key: 'authorizer', ...form })).toEqual({
      refused: expect.any(String),
    })
  })

  test('gets typed data of the channels of its network, whatever domain and types it asks for', async () => {
    const message = { channelId: ZERO, nonce: '1', amount: '5' }
    const form = { primaryType: 'Refund', message, domain: { chainId: 1 }, types: { Refund: [] } }
    const { value } = await ask({ ask: 'typed', key: 'authorizer', ...form })
    const signed = { domain: channelDomain(BASE), types: refundTypes, primaryType: 'Refund' } as const
    const isOurs = verifyTypedData({
      ...signed,
      address: authorizer.address,
      message: { channelId: ZERO, nonce: 1n, amount: 5n },
      signature: value as Hex,
    })
    expect(await isOurs).toBe(true)
  })

  test('gets receipts and offers of its network, and nothing else under their key', async () => {
    const receipt = {
      version: 1,
      network: 'eip155:8453',
      resourceUrl: 'https://a.example',
      payer: '',
      issuedAt: 1,
    }
    const whole = { ...receipt, transaction: '', amount: '1' }
    const header = { alg: 'EdDSA', kid: 'x' }
    expect(await jws('receipt', header, whole)).toHaveProperty('value')
    expect(await jws('receipt', header, { ...whole, payTo: '' })).toHaveProperty('value')
    const { version, network, resourceUrl } = receipt
    const terms = { scheme: 'exact', asset: '', payTo: '', amount: '1', validUntil: 1 }
    expect(await jws('receipt', header, { version, network, resourceUrl, ...terms })).toHaveProperty('value')
    for (const [head, payload] of [
      [header, receipt],
      [header, { ...whole, more: 1 }],
      [header, { ...whole, network: 'eip155:1' }],
      [{ ...header, jwk: {} }, whole],
      [header, { sub: 'admin', exp: 9 }],
    ] as const)
      expect(await jws('receipt', head, payload)).toHaveProperty('refused')
    expect(await jws('card', header, whole)).toHaveProperty('refused')
    const text = JSON.stringify(whole).replace('"amount":"1"', '"amount":"9","amount":"1"')
    const twice = [JSON.stringify(header), text]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')
    expect(await ask({ ask: 'jws', key: 'receipt', input: twice })).toHaveProperty('refused')
    expect(await jws('__proto__', header, whole)).toHaveProperty('refused')
  })

  test.each([
    ['a call to a number', { ask: 'transaction', key: 'settlement', ...GAS, to: 5 }, 'not a transaction'],
    ['no bytes', { ask: 'transaction', key: 'settlement', ...GAS, ...PAID, data: 'x' }, 'not a transaction'],
    ['no header', { ask: 'jws', key: 'receipt', input: 'bnVsbA.e30' }, 'not a JWS'],
    ['a header alone', { ask: 'jws', key: 'receipt', input: 'e30' }, 'not a JWS'],
    ['a number', { ask: 'jws', key: 'receipt', input: 5 }, 'not a JWS'],
  ])('says what is wrong with %s', async (_name, request, refused) => {
    expect(await ask(request)).toEqual({ refused })
  })

  test('stops it neither with garbage, nor with a line without an end, nor with answers it never reads', async () => {
    for (const garbage of ['', 'x', 'null', '[]', '"keys"', '\0\x01'.repeat(99)])
      expect(await talk(signer.socket, [garbage])).toEqual([])
    expect(await talk(signer.socket, ['y'.repeat(2_000_000)])).toEqual([])
    expect(await ask({})).toHaveProperty('refused')
    const deaf = Array.from({ length: 16 }, () =>
      createConnection(signer.socket)
        .on('error', () => {})
        .pause(),
    )
    const keysLine = `${JSON.stringify({ ask: 'keys' })}\n`
    for (const each of deaf) each.write(keysLine.repeat(20_000))
    expect(await ask({ ask: 'keys' })).toHaveProperty('value')
    for (const each of deaf) each.destroy()
    const flood = Array.from({ length: 5_000 }, () => JSON.stringify({ ask: 'nothing' }))
    expect(await talk(signer.socket, flood)).toHaveLength(5_000)
    expect(await ask({ ask: 'keys' })).toHaveProperty('value')
  })

  test('drains the account by no more than the budget of a day, nor after a restart that forgets nothing', async () => {
    const spend = async (): Promise<bigint> => {
      let spent = 0n
      for (let nonce = 0; nonce < 8; nonce += 1) {
        const { value } = await transaction({
          nonce,
          ...(nonce % 2 ? PAID : callOfAll([PAID, PAID], 'deployed')),
        })
        if (value === undefined) continue
        expect(await recoverTransactionAddress({ serializedTransaction: value as `0x02${string}` })).toBe(
          account.address,
        )
        const {
          gas = 0n,
          maxFeePerGas = 0n,
          value: ether = 0n,
          chainId,
        } = parseTransaction(value as `0x02${string}`)
        expect({ ether, chainId }).toEqual({ ether: 0n, chainId: 8453 })
        spent += gas * maxFeePerGas
      }
      return spent
    }
    expect(await spend()).toBe(2n * 10n ** 15n)
    expect((await ask({ ask: 'keys' })).value).toMatchObject({ isSpent: true })
    await signer.stop('SIGKILL')
    signer = await startSigner(directory, settings)
    expect(await spend()).toBe(0n)
  })

  test('cannot silence it with connections that ask nothing, of which there may be any number', async () => {
    const oldest = createConnection(signer.socket).on('error', () => {})
    const answers = createInterface({ input: oldest })[Symbol.asyncIterator]()
    const askOldest = async () => {
      oldest.write(`${JSON.stringify({ ask: 'keys' })}\n`)
      return (await answers.next()).done
    }
    expect(await askOldest()).toBe(false)
    const idle = Array.from({ length: 200 }, () => createConnection(signer.socket).on('error', () => {}))
    await Promise.all(idle.map((each) => once(each, 'connect')))
    expect((await ask({ ask: 'keys' })).value).toMatchObject({ chainId: 8453 })
    expect(await askOldest()).toBe(false)
    for (const each of [oldest, ...idle]) each.destroy()
  })

  test('is written down, form by form, without a value, a key or a signature', async () => {
    const audit = signer.output()
    expect(audit).toContain('"event":"refused"')
    expect(audit).not.toMatch(new RegExp(`${keys.settlement.slice(2)}|${keys.authorizer.slice(2)}`))
    expect(audit).not.toContain(transfer.slice(10, 74))
  })
})

test('a connection with long answers gathers no listeners', async () => {
  const path = join(directory, 'long.sock')
  const long = 'x'.repeat(1_000_000)
  const sign = async ({ ask: what }: JsonObject) => ({ value: what === 'long' ? long : '', form: 'x' })
  const server = await listenSigner(path, sign, createLog({ level: 'silent' }))
  const counts: number[] = []
  server.on('connection', (socket) => socket.on('data', () => counts.push(socket.listenerCount('close'))))
  const client = createConnection(path)
  const answers = createInterface({ input: client })[Symbol.asyncIterator]()
  for (const what of ['short', 'long', 'long', 'long', 'short']) {
    client.write(`${JSON.stringify({ ask: what })}\n`)
    await answers.next()
  }
  client.destroy()
  server.close()
  expect(counts).toHaveLength(5)
  expect(counts.at(-1)).toBe(counts[0])
})

test.each([
  [
    'on the keys and the budget of another',
    'another process already uses this DATA_DIR',
    'keys',
    'second.sock',
  ],
  ['on the socket of another', 'SIGNER_SOCKET: another signer listens there\n', 'others', 'signer.sock'],
  [
    'that cannot make its socket',
    'SIGNER_SOCKET: cannot listen there (EACCES)\n',
    'lonely',
    'missing/s.sock',
  ],
])('a signer %s does not start, and says why in one line', async (_which, why, folder, socket) => {
  const more = { DATA_DIR: join(directory, folder), SIGNER_SOCKET: join(directory, socket) }
  const started = startSigner(directory, { ...settings, ...more }).then((other) => other.stop())
  await expect(started).rejects.toThrow(why)
  expect(await ask({ ask: 'keys' })).toHaveProperty('value')
})

test('a file or folder in the place of the socket is left alone, and named', async () => {
  const [file, folder] = [join(directory, 'precious'), join(directory, 'folder')]
  writeFileSync(file, 'a key')
  mkdirSync(folder)
  for (const path of [file, folder]) {
    const started = listenSigner(
      path,
      () => Promise.reject(new Error('not asked')),
      createLog({ level: 'silent' }),
    )
    await expect(started).rejects.toThrow('SIGNER_SOCKET: something that is no socket has this name')
  }
  expect(readFileSync(file, 'utf8')).toBe('a key')
})

describe('a disk without room', () => {
  const apart = (name: string) => {
    const path = join(directory, name)
    mkdirSync(path)
    return path
  }
  const askAt = async (socket: string, request: object) => {
    const [line = '{}'] = await talk(socket, [JSON.stringify(request)])
    return JSON.parse(line) as { value?: string; refused?: string }
  }

  test('for the budget is what the refusal of a transaction names', async () => {
    const full = apart('full-budget')
    const other = await startSigner(full, settings)
    // A folder in the place of the file fails as a full disk does.
    mkdirSync(join(full, 'keys', 'gas-budget.json.new'))
    expect(await askAt(other.socket, { ask: 'transaction', key: 'settlement', ...GAS, ...PAID })).toEqual({
      refused: 'the budget cannot be written',
    })
    await other.stop()
  })

  anyTest.skipIf(LACKS.fullDevice)('for the log does not keep it from signing', async () => {
    const full = apart('full-log')
    const socket = join(full, 'signer.sock')
    const { child, ended } = run(['-c', `exec "${process.execPath}" "${CLI}" signer > /dev/full`], {
      program: '/bin/sh',
      env: { ...settings, SIGNER_SOCKET: socket, DATA_DIR: join(full, 'keys') },
    })
    const refusal = JSON.stringify({ refused: 'not a request' })
    const answer = () => Promise.race([talk(socket, ['{}']), sleep(1_000, [], { ref: false })])
    try {
      await expect.poll(answer, { timeout: 20_000 }).toEqual([refusal])
      expect(await answer()).toEqual([refusal])
      child.kill('SIGTERM')
      expect(await ended).toEqual({ code: 0, signal: null })
    } finally {
      child.kill('SIGKILL')
    }
  })
})
