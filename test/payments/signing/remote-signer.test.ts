import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test as anyTest, beforeEach, expect, vi } from 'vitest'
import { type Signer, SignerUnavailable } from '../../../src/payments/ports/signer.ts'
import { openRemoteSigner } from '../../../src/payments/signing/remote-signer.ts'
import { eventually } from '../../support/eventually.ts'
import { LACKS } from '../../support/platform.ts'

const test = anyTest.skipIf(LACKS.unixSockets)

const receipt = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
const ADDRESS = `0x${'12'.repeat(20)}` as const
const KEYS = { chainId: 8453, settlement: null, authorizer: null, receipt, card: null, isSpent: false }

let directory: string
let server: Server
let signer: Signer
/** What the other side says to a request for a signature. */
let reply: (socket: Socket) => void
/** What it says of itself, and all that it was asked for. */
let keys: object
let asked: object[]
beforeEach(async () => {
  ;[keys, asked] = [KEYS, []]
  directory = mkdtempSync(join(tmpdir(), 'format-checker-test-'))
  const path = join(directory, 'signer.sock')
  server = createServer((socket) => {
    socket.setEncoding('utf8').on('error', () => {})
    socket.on('data', (text: string) => {
      for (const line of text.split('\n').filter((each) => each !== '')) {
        const request = JSON.parse(line) as { ask: string }
        asked.push(request)
        if (request.ask === 'keys') socket.write(`${JSON.stringify({ value: keys })}\n`)
        else reply(socket)
      }
    })
  })
  await new Promise<void>((resolve) => void server.listen(path, resolve))
  signer = await openRemoteSigner(path)
})
afterEach(() => {
  signer.close()
  server.close()
  rmSync(directory, { recursive: true })
})

test.each<[string, (socket: Socket) => void]>([
  ['what is no JSON', (socket) => void socket.write('no JSON\n')],
  ['no object', (socket) => void socket.write('null\n')],
  ['a line without end', (socket) => void socket.write('x'.repeat(2 ** 21))],
  ['a refusal', (socket) => void socket.write(`${JSON.stringify({ refused: 'policy' })}\n`)],
  ['the end', (socket) => void socket.destroy()],
])('is unavailable where it says %s, and signs again afterwards', async (_, say) => {
  reply = say
  await expect(signer.receipt?.sign('header.payload')).rejects.toBeInstanceOf(SignerUnavailable)
  reply = (socket) => void socket.write(`${JSON.stringify({ value: 'signature' })}\n`)
  await eventually(() => signer.receipt?.sign('header.payload').catch(() => null)).toBe('signature')
})

const answer = (value: unknown) => (socket: Socket) => void socket.write(`${JSON.stringify({ value })}\n`)
/** Opens another connection, to a signer with these keys. */
const open = async (change: object) => {
  keys = { ...KEYS, ...change }
  signer.close()
  signer = await openRemoteSigner(join(directory, 'signer.sock'))
  asked.length = 0
  return signer
}

test('has the keys that the other side holds, and no others', async () => {
  expect([signer.settlement, signer.authorizer, signer.card]).toEqual([null, null, null])
  expect(signer.receipt?.publicKey.export({ format: 'jwk' })).toEqual(receipt)
  const other = await open({ settlement: ADDRESS, authorizer: ADDRESS, card: receipt, receipt: null })
  expect([other.settlement?.address, other.authorizer?.address, other.receipt]).toEqual([
    ADDRESS,
    ADDRESS,
    null,
  ])
  expect(other.card?.publicKey.export({ format: 'jwk' })).toEqual(receipt)
})

test('asks for each signature with the name of its key, and for no more than the other side must know', async () => {
  const { settlement, authorizer, card } = await open({
    settlement: ADDRESS,
    authorizer: ADDRESS,
    card: receipt,
  })
  reply = answer('0xab')
  const transaction = {
    nonce: 3,
    gas: 5n,
    maxFeePerGas: 7n,
    maxPriorityFeePerGas: 1n,
    to: ADDRESS,
    data: '0x1',
  } as const
  expect(await settlement?.signTransaction({ type: 'eip1559', chainId: 1, ...transaction })).toBe('0xab')
  const typed = { domain: {}, types: {}, primaryType: 'Refund', message: { amount: 9n } }
  expect(await authorizer?.signTypedData(typed as never)).toBe('0xab')
  expect(await card?.sign('header.payload')).toBe('0xab')
  await expect(settlement?.signMessage({ message: 'any' })).rejects.toThrow(SignerUnavailable)
  expect(asked).toEqual([
    {
      ...{ ask: 'transaction', key: 'settlement', ...transaction },
      ...{ gas: '5', maxFeePerGas: '7', maxPriorityFeePerGas: '1' },
    },
    { ask: 'typed', key: 'authorizer', primaryType: 'Refund', message: { amount: '9' } },
    { ask: 'jws', key: 'card', input: 'header.payload' },
  ])
})

test('gives each request its own answer, in order, whatever pieces they come in', async () => {
  const sockets: Socket[] = []
  reply = (socket) => void sockets.push(socket)
  const both = ['one', 'two'].map((input) => signer.receipt?.sign(input))
  await eventually(() => sockets.length).toBe(2)
  const text = ['1', '2'].map((value) => `${JSON.stringify({ value })}\n`).join('')
  sockets[0]?.write(text.slice(0, 20))
  await new Promise(setImmediate)
  sockets[0]?.write(text.slice(20))
  expect(await Promise.all(both)).toEqual(['1', '2'])
})

test('is looked at every second, and says whether it is up, spent or away, until it is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const looked = await open({})
    expect(looked.state()).toBe('up')
    keys = { ...KEYS, isSpent: true }
    await vi.advanceTimersByTimeAsync(999)
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await eventually(looked.state).toBe('spent')
    keys = KEYS
    await vi.advanceTimersByTimeAsync(1_000)
    await eventually(looked.state).toBe('up')
    reply = (socket) => void socket.destroy()
    await expect(looked.receipt?.sign('a')).rejects.toThrow(SignerUnavailable)
    expect(looked.state()).toBe('away')
    await vi.advanceTimersByTimeAsync(1_000)
    await eventually(looked.state).toBe('up')
    looked.close()
    await eventually(looked.state).toBe('away')
    asked.length = 0
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('is unavailable where it says nothing for two seconds, and signs again afterwards', async () => {
  reply = () => {}
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let isOver = false
    const signed = signer.receipt?.sign('a').catch((error: unknown) => {
      isOver = true
      return error
    })
    vi.advanceTimersByTime(1_999)
    await new Promise(setImmediate)
    expect(isOver).toBe(false)
    vi.advanceTimersByTime(1)
    expect(await signed).toBeInstanceOf(SignerUnavailable)
  } finally {
    vi.useRealTimers()
  }
  reply = answer('signature')
  await eventually(() => signer.receipt?.sign('a').catch(() => null)).toBe('signature')
})
