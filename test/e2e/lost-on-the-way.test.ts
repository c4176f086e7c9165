/** Answers that a middleman loses after it has read them whole, so that the service takes them for delivered. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERRORS } from '../../src/errors.ts'
import { PROBLEM_TYPE, problemOf } from '../../src/http/body/problem.ts'
import { outcomeOf, ROOT } from '../support/command.ts'
import { blocksIn, markOf } from '../support/markdown-blocks.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'

const PRICE = 1000n
const VALUE = 'GB82 WEST 1234 5698 7654 32'

/** What becomes of the answers to a paid call for VALUE, in turn; those after it pass. */
let losses: ((response: ServerResponse, answer: Response, body: Buffer) => void)[] = []

const isReset = (response: ServerResponse) => response.destroy()
const isBadGateway = (response: ServerResponse) => response.writeHead(502).end('Bad Gateway')
/** As the service says it when it fails after the charge. */
const isInternalError = (response: ServerResponse) =>
  response
    .writeHead(ERRORS.internal_error.status, { 'Content-Type': PROBLEM_TYPE })
    .end(JSON.stringify(problemOf(service.url, 'internal_error')))
const isCut = (response: ServerResponse, { status }: Response, body: Buffer) => {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  response.write(body.subarray(0, 20), () => response.destroy())
}

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = (await buffer(request)).toString()
  const { 'payment-signature': payment, 'content-type': type } = request.headers
  const headers = {
    ...(payment && { 'PAYMENT-SIGNATURE': String(payment) }),
    ...(type && { 'Content-Type': type }),
  }
  const method = request.method ?? 'GET'
  const answer = await fetch(`${service.url}${request.url}`, { method, headers, ...(sent && { body: sent }) })
  const body = Buffer.from(await answer.arrayBuffer())
  const loss = payment !== undefined && sent.includes(VALUE) ? losses.shift() : undefined
  if (loss !== undefined) return void loss(response, answer, body)
  const { status } = answer
  response.writeHead(status, { 'PAYMENT-REQUIRED': answer.headers.get('PAYMENT-REQUIRED') ?? '' }).end(body)
}

const middleman = createServer((request, response) => void pass(request, response))
let service: TestService
let url: string
beforeAll(async () => {
  service = await startTestService()
  await new Promise<void>((resolve) => middleman.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(middleman.address() as AddressInfo).port}`
})
afterAll(async () => {
  middleman.close()
  middleman.closeAllConnections()
  await service.stop()
})

test('a retry inside the paying fetch, as docs/clients.md shows it, buys the call once', async () => {
  const blocks = blocksIn(readFileSync(join(ROOT, 'docs/clients.md'), 'utf8'))
  const wallet = blocks.find((block) => markOf(block, 'named') === 'wallet')
  const patient = blocks.find(({ text }) => text.includes('wrapFetchWithPayment(patient'))
  // Below the project, so that what the program imports is found.
  const workshop = join(ROOT, '.data', `patient-${process.pid}`)
  mkdirSync(workshop, { recursive: true })
  const file = join(workshop, 'buy.mjs')
  const program = `${wallet?.text}\n${patient?.text}\n`.replaceAll('http://127.0.0.1:4021', url)
  writeFileSync(file, program)
  losses = [isReset, isBadGateway, isInternalError, isCut]
  const before = await service.books()
  const { code, stdout, stderr } = await outcomeOf([file])
  rmSync(workshop, { recursive: true })

  expect(code, stderr.join('\n')).toBe(0)
  expect(losses).toEqual([])
  expect(stdout.join('\n').match(/valid: true/g)).toHaveLength(2)
  // The wallet's own call and this one.
  expect((await service.books()).payee).toBe(before.payee + 2n * PRICE)
})

test('a retry around it buys the call again', async () => {
  const pay = wrapFetchWithPayment(
    fetch,
    new x402Client().register('eip155:*', new ExactEvmScheme(service.buyer)),
  )
  const buy = () =>
    pay(`${url}/api/validate/iban`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ value: VALUE }),
    })
  losses = [isReset]
  const before = await service.books()
  await expect(buy()).rejects.toThrow('fetch failed')
  expect((await buy()).status).toBe(200)
  expect((await service.books()).payee).toBe(before.payee + 2n * PRICE)
})
