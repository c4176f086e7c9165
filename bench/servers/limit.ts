/** The least a durable sale can be: read the payment, recover the signer, one flush, one call of the facilitator. */
import { randomBytes } from 'node:crypto'
import { fdatasync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkIban } from 'format-checker-checks/iban'
import { authorizationDigest } from '../../src/payments/authorization/authorization-digest.ts'
import { fastestRecovery } from '../../src/payments/authorization/recover-signer.ts'
import { serve } from './tell-port.ts'

const FACILITATOR = new URL(`${process.env.FACILITATOR_URL}/settle`)
const agent = new Agent({ keepAlive: true })
const recover = fastestRecovery()
const digestOf = authorizationDigest({
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  domain: { name: 'USD Coin', version: '2', chainId: 8453 },
})
const folder = mkdtempSync(join(tmpdir(), 'format-checker-bench-limit-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const log = openSync(join(folder, 'sales.log'), 'a')
const flush = promisify(fdatasync)

/** Sales that come in while a flush runs share the next one. */
let running: Promise<void> | null = null
let next: Promise<void> | null = null
function flushed(): Promise<void> {
  if (running === null) {
    running = flush(log).finally(() => {
      running = null
    })
    return running
  }
  next ??= running.then(() => {
    next = null
    return flushed()
  })
  return next
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function settle(body: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const call = httpRequest(FACILITATOR, { method: 'POST', headers, agent })
  call.once('response', (reply) => void textOf(reply).then(resolve, reject))
  call.once('error', reject)
  call.end(body)
  return promise
}

serve(async (request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405, { 'Content-Length': 0 }).end()
  const { value } = JSON.parse(await textOf(request))
  const paymentPayload = JSON.parse(
    Buffer.from(String(request.headers['payment-signature']), 'base64').toString('utf8'),
  )
  const { authorization, signature } = paymentPayload.payload
  const signed = {
    ...authorization,
    from: authorization.from.toLowerCase(),
    value: BigInt(authorization.value),
    validAfter: BigInt(authorization.validAfter),
    validBefore: BigInt(authorization.validBefore),
  }
  const signer = await recover(digestOf(signed), Buffer.from(signature.slice(2), 'hex'))
  const answer = JSON.stringify(checkIban(value))
  if (signer !== signed.from) return void response.writeHead(402).end()
  writeSync(log, `${JSON.stringify([signed.from, authorization.nonce, randomBytes(16).toString('hex')])}\n`)
  await flushed()
  const reply = JSON.parse(
    await settle(
      JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: paymentPayload.accepted }),
    ),
  )
  response
    .writeHead(reply.success ? 200 : 402, {
      'content-type': 'application/json',
      'payment-response': Buffer.from(JSON.stringify(reply)).toString('base64'),
    })
    .end(answer)
})
