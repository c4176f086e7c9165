import { request } from 'node:http'
import { expect, test } from 'vitest'
import {
  addHeaders,
  dropHeader,
  headerList,
  preparedBody,
  sendBody,
  sendJson,
} from '../../../src/http/body/send.ts'
import { expressApp } from '../../../src/http/express-app.ts'
import type { Middleware } from '../../../src/http/middleware.ts'
import { serve } from '../http-harness.ts'

const add: Middleware = (_req, res, next) => {
  res.setHeader('X-One', '1').setHeader('X-Two', '2')
  next()
}
const fail = () => {
  throw new Error('nothing may go wrong here')
}

/** Header lines as they came over the wire, and the body's bytes. */
async function answerOf(links: readonly Middleware[], method = 'GET') {
  const service = await serve(expressApp(links, fail))
  const answer = await new Promise<{ lines: string[]; bytes: Buffer }>((resolve, reject) => {
    request(service.url, { method }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ lines: response.rawHeaders, bytes: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })
  await service.close()
  return answer
}

test('headers that were added come first, in their order, and one that is dropped not at all', async () => {
  const early: Middleware = (_req, res, next) => {
    addHeaders(res, ['X-One', '1', 'X-Two', '2'])
    addHeaders(res, ['Vary', 'Accept'])
    next()
  }
  const late: Middleware = (_req, res) => {
    dropHeader(res, 'X-Two')
    sendBody(res, 200, ['Vary', 'Accept-Encoding'], preparedBody('x'))
  }
  const { lines } = await answerOf([early, late])
  expect(lines.slice(0, 6)).toEqual([
    ...['X-One', '1'],
    ...['Vary', 'Accept, Accept-Encoding'],
    ...['Content-Length', '1'],
  ])
})

test('an answer in one go replaces what was set before, and repeats nothing', async () => {
  const late: Middleware = (_req, res) => sendBody(res, 200, ['X-Two', 'other'], preparedBody('x'))
  const { lines } = await answerOf([add, late])
  expect(lines.filter((name) => name === 'X-Two')).toHaveLength(1)
  expect(lines).toEqual(expect.arrayContaining(['X-One', '1', 'X-Two', 'other']))
})

test.each([
  ['ASCII', '{"a":"b"}'],
  ['other text', '{"a":"•ö"}'],
  ['a long text', 'x'.repeat(20_000)],
  ['bytes', Buffer.from([0, 255, 128, 10])],
])('a body of %s arrives byte for byte, with its length', async (_, content) => {
  const bytes = Buffer.from(content)
  const write: Middleware = (_req, res) => sendBody(res, 200, [], preparedBody(content))
  const get = await answerOf([write])
  expect(get.bytes.equals(bytes)).toBe(true)
  expect(get.lines).toContain(String(bytes.length))
  const head = await answerOf([write], 'HEAD')
  expect([head.bytes.length, head.lines.includes(String(bytes.length))]).toEqual([0, true])
})

test('short ASCII stays text, which Node writes with the head; all else becomes bytes', () => {
  const isText = (content: string | Buffer) => typeof preparedBody(content).content === 'string'
  const texts = ['', 'a\0\x7f\n', 'x'.repeat(8_192), Buffer.from('bytes')]
  const others = ['\x80', 'ö a', 'a ö', 'x'.repeat(8_193), Buffer.from([128])]
  expect(texts.map(isText)).toEqual(texts.map(() => true))
  expect(others.map(isText)).toEqual(others.map(() => false))
})

test('headers are written in their order, lists as one line each, and what is undefined not at all', () => {
  expect(headerList({ A: 1, B: ['x', 'y'], C: undefined, D: '' })).toEqual([
    ...['A', '1'],
    ...['B', 'x'],
    ...['B', 'y'],
    ...['D', ''],
  ])
})

test('JSON is never cached, and its headers may be others', async () => {
  const plain = await answerOf([(_req, res) => sendJson(res, { a: 1 })])
  expect(plain.bytes.toString()).toBe('{"a":1}')
  expect(plain.lines.join()).toContain('Content-Type,application/json; charset=utf-8,Cache-Control,no-store')
  const headers = { 'Cache-Control': 'public', 'X-More': 'yes' }
  const { lines } = await answerOf([(_req, res) => sendJson(res, {}, { status: 201, headers })])
  expect(lines.join()).toContain('application/json; charset=utf-8,Cache-Control,public,X-More,yes')
})
