import { afterAll, beforeAll, expect, it } from 'vitest'
import { chunked, post, rawRequest } from './raw-request.ts'
import { type RestService, startRestService } from './rest-service.ts'

/** Stands for the value; it passes for an identifier of no type, and is found in any spelling we would print. */
const CANARY = 'CANARY-4f1d-8e20'

let service: RestService
beforeAll(async () => {
  service = await startRestService()
})
afterAll(() => service.close())

const BODIES = [
  `{"value":"${CANARY}"}`,
  `{"value":"${CANARY}"`,
  `{"value":["${CANARY}"]}`,
  `{"value":"x","${CANARY}":1}`,
  `{"${CANARY}":"x"}`,
  `{"value":"${CANARY.repeat(40)}"}`,
  `{"value":"${CANARY}\\ud800"}`,
  `"${CANARY}"`,
  CANARY,
  `{"value":"${CANARY.repeat(700)}"}`,
]
const HEADERS = [
  [],
  ['PAYMENT-SIGNATURE: cHJvb2Y='],
  [`PAYMENT-SIGNATURE: ${CANARY}`],
  [`X-PAYMENT: ${CANARY}`],
  [`Content-Type: text/${CANARY}`],
  [`Content-Type: application/json; charset=${CANARY}`],
  [`Content-Encoding: ${CANARY}`],
  [`X-Request-Id: ${CANARY}`],
  [`Origin: https://${CANARY}.example`, `Access-Control-Request-Headers: ${CANARY}`],
  [`User-Agent: ${CANARY}`, `Referer: ${CANARY}`, `X-Forwarded-For: ${CANARY}`],
]
const TARGETS = [
  '/api/validate/iban',
  '/api/validate/email',
  `/api/validate/iban?value=${CANARY}`,
  `/api/validate/${CANARY}`,
  `/${CANARY}`,
  `/api/validate/iban/%${CANARY}`,
  `http://${CANARY}/api/validate/iban`,
]

it('the value stands in no answer and no log line, wherever the client puts it', async () => {
  const requests = TARGETS.flatMap((target) =>
    BODIES.flatMap((body) => HEADERS.map((headers) => post(target, body, headers))),
  )
  requests.push(
    ...BODIES.map((body) => post('/api/validate/iban', chunked(body), ['Transfer-Encoding: chunked'])),
    ...['GET', 'PUT', 'OPTIONS', 'HEAD'].map((method) =>
      Buffer.from(
        `${method} /api/validate/iban?${CANARY} HTTP/1.1\r\nHost: ${CANARY}\r\nConnection: close\r\n\r\n`,
      ),
    ),
  )
  for (const request of requests) {
    const { text, status } = await rawRequest(service.port, request)
    expect(status).toBeGreaterThanOrEqual(200)
    expect(text.toLowerCase()).not.toContain(CANARY.toLowerCase())
  }
  expect(service.logged).toHaveLength(requests.length)
  expect(JSON.stringify(service.logged).toLowerCase()).not.toContain(CANARY.toLowerCase())
})

it('a log line has the allowed fields and no other', async () => {
  await service.check('iban', { value: 'x' })
  const [entry] = service.logged.at(-1) as [Record<string, unknown>]
  expect(Object.keys(entry).sort()).toEqual(
    ['code', 'method', 'ms', 'requestId', 'route', 'status', 'surface', 'type'].sort(),
  )
})
