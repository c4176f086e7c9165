import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
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
let reply: (response: ServerResponse) => void
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'format-checker-test-'))
  const path = join(directory, 'signer.sock')
  server = createServer(async (request, response) => {
    const { ask } = (await json(request)) as { ask: string }
    if (ask === 'keys') response.end(JSON.stringify({ value: KEYS }))
    else reply(response)
  })
  await new Promise<void>((resolve) => void server.listen(path, resolve))
  signer = await openRemoteSigner(path)
})
afterEach(() => {
  signer.close()
  server.close()
  server.closeAllConnections()
  rmSync(directory, { recursive: true })
})

test.each<[string, (response: ServerResponse) => void]>([
  ['what is no JSON', (response) => void response.end('no JSON')],
  ['no object', (response) => void response.end('null')],
  ['more than it may', (response) => void response.end(JSON.stringify({ value: 'x'.repeat(2 ** 21) }))],
  ['no end', (response) => void response.write('{')],
  ['a refusal', (response) => void response.end(JSON.stringify({ refused: 'policy' }))],
  ['a bad request', (response) => void response.writeHead(400).end()],
  ['nothing', (response) => void response.destroy()],
])('is unavailable where it says %s, and signs again afterwards', async (_, say) => {
  reply = say
  await expect(signer.receipt?.sign('header.payload')).rejects.toBeInstanceOf(SignerUnavailable)
  reply = (response) => void response.end(JSON.stringify({ value: 'signature' }))
  await eventually(() => signer.receipt?.sign('header.payload').catch(() => null)).toBe('signature')
})
