import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Signer, SignerUnavailable } from '../../../src/payments/ports/signer.ts'
import { openRemoteSigner } from '../../../src/payments/signing/remote-signer.ts'
import { eventually } from '../../support/eventually.ts'

const receipt = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
const KEYS = { chainId: 8453, settlement: null, authorizer: null, receipt, card: null, isSpent: false }

let directory: string
let server: Server
let signer: Signer
/** What the other side says to a request for a signature. */
let reply: (socket: Socket) => void
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'format-checker-test-'))
  const path = join(directory, 'signer.sock')
  server = createServer((socket) => {
    socket.setEncoding('utf8').on('error', () => {})
    socket.on('data', (text: string) => {
      for (const line of text.split('\n').filter((each) => each !== '')) {
        const { ask } = JSON.parse(line) as { ask: string }
        if (ask === 'keys') socket.write(`${JSON.stringify({ value: KEYS })}\n`)
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
  ['nothing', (socket) => void socket.pause()],
])('is unavailable where it says %s, and signs again afterwards', async (_, say) => {
  reply = say
  await expect(signer.receipt?.sign('header.payload')).rejects.toBeInstanceOf(SignerUnavailable)
  reply = (socket) => void socket.write(`${JSON.stringify({ value: 'signature' })}\n`)
  await eventually(() => signer.receipt?.sign('header.payload').catch(() => null)).toBe('signature')
})
