import supertest from 'supertest'
import { expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '../../../src/errors.ts'
import { accessLogFields } from '../../../src/http/access-log-fields.ts'
import { problemOf, problemSender } from '../../../src/http/body/problem.ts'
import { rawErrorResponse, rawResponseText } from '../../../src/http/body/raw-error-response.ts'
import type { Handler } from '../../../src/http/middleware.ts'

const BASE_URL = 'https://checks.example'
const CODES = Object.keys(ERRORS) as ErrorCode[]

test.each(CODES)('%s has a body with its status and the page that explains it', async (code) => {
  const send = problemSender(BASE_URL)
  const handler: Handler = (_req, res) => send(res, code)
  const { body } = await supertest(handler)
    .get('/')
    .expect(ERRORS[code].status)
    .expect('Content-Type', 'application/problem+json; charset=utf-8')
    .expect('Cache-Control', 'no-store')
  expect(body).toEqual(problemOf(BASE_URL, code))
  expect(body).toMatchObject({
    type: `https://checks.example/errors#${code}`,
    title: ERRORS[code].title,
    status: ERRORS[code].status,
    detail: ERRORS[code].detail,
    code,
    charged: ERRORS[code].charged,
    retry: ERRORS[code].retry,
  })
})

test('adds members and headers, sets the log field, and omits the body for HEAD', async () => {
  const send = problemSender(BASE_URL)
  const codes: unknown[] = []
  const handler: Handler = (_req, res) => {
    send(res, 'not_found', { members: { near: 'here' }, headers: { 'X-More': 'yes' } })
    codes.push(accessLogFields(res).code)
  }
  const client = supertest(handler)
  const { text } = await client.get('/').buffer(true).expect('X-More', 'yes')
  expect(Object.keys(JSON.parse(text)).slice(0, 5)).toEqual(['type', 'title', 'status', 'detail', 'code'])
  expect(Object.keys(JSON.parse(text)).at(-1)).toBe('near')
  const head = await client
    .head('/')
    .expect(404)
    .expect('Content-Length', String(Buffer.byteLength(text)))
  expect(head.text ?? '').toBe('')
  expect(codes).toEqual(['not_found', 'not_found'])
})

test('what is written to a socket is a whole response with no header beside its own', () => {
  const response = rawErrorResponse('too_many_connections', { retrySeconds: 5 })
  const [head = '', body] = rawResponseText(response).split('\r\n\r\n')
  expect(head.split('\r\n').map((line) => line.split(':')[0])).toEqual([
    'HTTP/1.1 503 Service Unavailable',
    ...['Content-Type', 'Content-Length', 'Cache-Control', 'Retry-After', 'Connection'],
  ])
  expect(body).toBe(response.body)
})

test('what is written to a socket says how long it is, when to come back, and what has become of the money', () => {
  const { status, title, detail, charged, retry } = ERRORS.too_many_connections
  const { headers, body } = rawErrorResponse('too_many_connections', { retrySeconds: 5 })
  const told = { type: 'about:blank', title: 'Service Unavailable', status, detail, charged, retry }
  expect(JSON.parse(body)).toEqual({ ...told, code: 'too_many_connections' })
  expect(headers).toEqual([
    ...['Content-Type', 'application/problem+json; charset=utf-8'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Cache-Control', 'no-store'],
    ...['Retry-After', '5'],
    ...['Connection', 'close'],
  ])
  expect(title).toBeDefined()
  const other = rawErrorResponse('too_many_connections', { detail: 'ö' })
  expect(JSON.parse(other.body).detail).toBe('ö')
  expect(other.headers).not.toContain('Retry-After')
  expect(other.headers).toContain(String(Buffer.byteLength(other.body)))
})

test('a 415 names what can be read, beside headers of its own', async () => {
  const send = problemSender(BASE_URL)
  const handler: Handler = (_req, res) =>
    send(res, 'unsupported_media_type', { headers: { 'X-More': 'yes' } })
  await supertest(handler)
    .get('/')
    .expect('Accept', 'application/json')
    .expect('X-More', 'yes')
    .expect('Content-Type', 'application/problem+json; charset=utf-8')
    .expect('Cache-Control', 'no-store')
})

test('members that are added replace the own ones, and leave later answers as they are', async () => {
  const send = problemSender(BASE_URL)
  const answers = [{ members: { detail: 'other' } }, {}]
  const handler: Handler = (_req, res) => send(res, 'not_found', answers.shift())
  const client = supertest(handler)
  expect((await client.get('/')).body.detail).toBe('other')
  expect((await client.get('/')).body).toEqual(problemOf(BASE_URL, 'not_found'))
})
