import { CHECKS } from 'format-checker-checks/internal/checks'
import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpProxy, startHttpProxy } from '../support/http-proxy.ts'
import { validValue } from '../support/identifiers.ts'
import { type LiveService, startLiveService, startWorld, type World } from '../support/live-service.ts'
import { encodeHeader, payloadFor } from '../support/payment-header.ts'
import { filesBelow, traceFinder } from '../support/traces.ts'
import { chunked, post, rawRequest } from '../surfaces/rest/raw-request.ts'

/** Of no type, and found wherever it goes. */
const CANARY = 'Canary-4f1d-8e20-Zq'
const findCanary = traceFinder(CANARY)
const path = (type: CheckType) => `/api/validate/${type}`

let world: World
let facilitator: HttpProxy
let service: LiveService
/** Every byte that the service has answered with. */
const answers: string[] = []

beforeAll(async () => {
  world = await startWorld()
  facilitator = await startHttpProxy(world.sandbox.facilitatorUrl)
  service = await startLiveService(await world.settings(facilitator.url))
})
afterAll(() => world.remove())

async function send(request: string | Buffer): Promise<number> {
  const { text, status } = await rawRequest(service.port, request)
  answers.push(text)
  return status
}

const paid = async (body: string, headers: readonly string[] = [], target = path('iban')) =>
  post(target, body, [`PAYMENT-SIGNATURE: ${await world.pay(world.buyer)}`, ...headers])

describe('a value goes through every outcome there is', () => {
  test.each(CHECK_TYPES)('%s: quoted, sold, replayed, refused for another call', async (type) => {
    const signature = [`PAYMENT-SIGNATURE: ${await world.pay(world.buyer)}`]
    const body = JSON.stringify({ value: CANARY })
    const other = JSON.stringify({ value: `${CANARY} ` })
    expect(await send(post(path(type), body))).toBe(402)
    expect(await send(post(path(type), body, signature))).toBe(200)
    expect(await send(post(path(type), body, signature))).toBe(200)
    expect(await send(post(path(type), other, signature))).toBe(409)
  })

  test('in doubt, unavailable, insufficient funds, and many at once', async () => {
    const body = JSON.stringify({ value: CANARY })
    facilitator.treat(() => 'drop')
    const doubtful = await paid(body)
    expect(await send(doubtful)).toBe(503)
    facilitator.treat(() => ({ status: 429, body: {} }))
    expect(await send(await paid(body))).toBe(503)
    facilitator.treat(() => ({ status: 500, body: { error: 'trouble' } }))
    expect(await send(await paid(body))).toBe(503)
    facilitator.treat(() => 'pass')
    expect(await send(doubtful)).toBe(200)
    const poor = await world.newBuyer(1n)
    expect(await send(post(path('iban'), body, [`PAYMENT-SIGNATURE: ${await world.pay(poor)}`]))).toBe(402)
    const copies = await paid(body)
    expect(await Promise.all(Array.from({ length: 5 }, () => send(copies)))).toEqual([
      200, 200, 200, 200, 200,
    ])
  })

  test('bad requests, with it in every place of the body', async () => {
    const bodies = [
      `{"value":"${CANARY}"`,
      `{"value":["${CANARY}"]}`,
      `{"value":{"value":"${CANARY}"}}`,
      `{"value":"x","${CANARY}":1}`,
      `{"${CANARY}":"x"}`,
      `{"value":"${CANARY.repeat(40)}"}`,
      `{"value":"${CANARY}\\ud800"}`,
      `"${CANARY}"`,
      `["${CANARY}"]`,
      CANARY,
      `{"value":"${CANARY.repeat(700)}"}`,
      `{"__proto__":{"value":"${CANARY}"}}`,
    ]
    for (const body of bodies) {
      expect(await send(post(path('iban'), body))).toBeGreaterThanOrEqual(400)
      expect(await send(await paid(body))).toBeGreaterThanOrEqual(400)
    }
    expect(await send(await paid(chunked(bodies[0] as string), ['Transfer-Encoding: chunked']))).toBe(400)
  })

  test('in places where no value belongs', async () => {
    const body = JSON.stringify({ value: 'x' })
    const payment = await payloadFor(world.buyer, world.sandbox.payTo)
    const withCanary = [
      { ...payment, [CANARY]: CANARY },
      { ...payment, resource: { url: `https://${CANARY}.example/`, description: CANARY } },
      { ...payment, accepted: { ...payment.accepted, extra: { ...payment.accepted.extra, note: CANARY } } },
      { ...payment, extensions: { [CANARY]: { info: CANARY } } },
      { ...payment, extensions: { 'payment-identifier': { info: { required: false, id: CANARY } } } },
      { ...payment, payload: { ...payment.payload, signature: CANARY } },
      { ...payment, accepted: { ...payment.accepted, scheme: CANARY, network: CANARY } },
      { ...payment, x402Version: CANARY },
    ]
    for (const payload of withCanary) {
      await send(post(path('iban'), body, [`PAYMENT-SIGNATURE: ${encodeHeader(payload)}`]))
    }
    const headers = [
      [`PAYMENT-SIGNATURE: ${CANARY}`],
      [`PAYMENT-SIGNATURE: ${Buffer.from(CANARY).toString('base64')}`],
      [`X-PAYMENT: ${CANARY}`],
      [`Content-Type: text/${CANARY}`],
      [`Content-Type: application/json; charset=${CANARY}`],
      [`Content-Encoding: ${CANARY}`],
      [`X-Request-Id: ${CANARY}`],
      [`Origin: https://${CANARY}.example`, `Access-Control-Request-Headers: ${CANARY}`],
      [`User-Agent: ${CANARY}`, `Referer: https://${CANARY}.example`, `X-Forwarded-For: ${CANARY}`],
      [`X-Forwarded-Host: ${CANARY}`, `X-Forwarded-Proto: ${CANARY}`, `Forwarded: for=${CANARY}`],
      [`Cookie: value=${CANARY}`, `Authorization: Bearer ${CANARY}`],
    ]
    for (const lines of headers) await send(post(path('iban'), body, lines))
    const targets = [
      `${path('iban')}?value=${CANARY}`,
      `${path('iban')}?${CANARY}`,
      `/api/validate/${CANARY}`,
      `/${CANARY}`,
      `/${encodeURIComponent(CANARY)}/%`,
      `${path('iban')}#${CANARY}`,
      `/api/types?${CANARY}`,
      `http://${CANARY}${path('iban')}`,
      `/payments/${CANARY}/${CANARY}`,
    ]
    for (const target of targets) {
      for (const method of ['POST', 'GET', 'HEAD', 'OPTIONS', 'PUT']) {
        const request = (await paid(body, [], target)).toString().replace('POST', method)
        await send(request.replace('Host: checks.example', `Host: ${CANARY}`))
      }
    }
    await send(`${CANARY} / HTTP/1.1\r\n\r\n`)
    await send(`GET / HTTP/1.1\r\nHost: a\r\n${CANARY}\r\n\r\n`)
    await send(post(path('iban'), body, [`X-Long: ${CANARY.repeat(3_000)}`]))
  })

  test('valid identifiers of each type, which a result only shows in part', async () => {
    for (const type of CHECK_TYPES) {
      const value = validValue(type, 4711)
      const { text, status } = await rawRequest(
        service.port,
        await paid(JSON.stringify({ value }), [], path(type)),
      )
      answers.push(text)
      expect(status).toBe(200)
      expect(text).toContain(JSON.stringify(CHECKS[type](value)))
      expect(traceFinder(value)(text)).toEqual([])
    }
  })
})

describe('and then it is nowhere:', () => {
  const values = CHECK_TYPES.map((type) => validValue(type, 4711))
  const finders = [findCanary, ...values.map((value) => traceFinder(value))]
  const traces = (text: string | Buffer) => finders.flatMap((find) => find(text))

  test('in no answer', () => {
    expect(answers.length).toBeGreaterThan(120)
    expect(answers.filter((answer) => traces(answer).length > 0)).toEqual([])
  })

  test('in no log line, of which there is one for each answer', () => {
    expect(service.logged.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(120)
    expect(service.logged.filter((line) => traces(line).length > 0)).toEqual([])
  })

  test('in nothing that was sent to the facilitator, not even inside an encoding', () => {
    expect(facilitator.seen.length).toBeGreaterThan(10)
    expect(facilitator.seen.filter((request) => traces(JSON.stringify(request)).length > 0)).toEqual([])
  })

  test('in nothing that was sent to the node', () => {
    expect(world.rpc.seen.length).toBeGreaterThan(3)
    expect(world.rpc.seen.filter((request) => traces(JSON.stringify(request)).length > 0)).toEqual([])
  })

  test('in no byte of the store while it is open, nor of anything that is kept afterwards', async () => {
    const found = () =>
      filesBelow(world.path).flatMap(([file, bytes]) => traces(bytes).map((what) => `${what} in ${file}`))
    const names = filesBelow(world.path).map(([file]) => file)
    expect(names.filter((file) => /ledger\.sqlite-wal$/.test(file))).toHaveLength(1)
    expect(found()).toEqual([])
    await service.stop()
    await facilitator.stop()
    await world.end()
    expect(filesBelow(world.path).map(([file]) => file)).toContainEqual(
      expect.stringMatching(/chain-state\.json$/),
    )
    expect(found()).toEqual([])
  })

  test('and the search finds what is there', () => {
    const spellings = [
      CANARY.toUpperCase(),
      Buffer.from(CANARY).toString('hex'),
      Buffer.from(`x${CANARY}`).toString('base64'),
      Buffer.from(`xx${CANARY}yy`).toString('base64url'),
      JSON.stringify({ a: CANARY }),
      Buffer.from(CANARY, 'utf16le').toString('latin1'),
    ]
    for (const text of spellings) expect(findCanary(Buffer.from(text, 'latin1'))).not.toEqual([])
  })
})
