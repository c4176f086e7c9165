import { request } from 'node:http'
import { expect, test } from 'vitest'
import { preparedBody, sendBody } from '../../../src/http/body/send.ts'
import { expressApp } from '../../../src/http/express-app.ts'
import { addHeaders, bufferHeaders, flushHeaders } from '../../../src/http/headers/buffered-headers.ts'
import type { Middleware } from '../../../src/http/middleware.ts'
import { serve } from '../http-harness.ts'

const add: Middleware = (_req, res, next) => {
  addHeaders(res, ['X-One', '1', 'X-Two', '2'])
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

const whole: Middleware = (_req, res) => sendBody(res, 200, ['X-Own', 'own'], preparedBody('{"a":1}'))
const headersOf = (lines: readonly string[]) => lines.filter((_, at) => at % 2 === 0)

test('what is held is written with the answer, in order, before its own headers', async () => {
  const { lines, bytes } = await answerOf([bufferHeaders, add, whole])
  expect(headersOf(lines).slice(0, 4)).toEqual(['X-One', 'X-Two', 'X-Own', 'Content-Length'])
  expect(bytes.toString()).toBe('{"a":1}')
})

test('an answer written by other means has what was held before, once it is released', async () => {
  const plain: Middleware = (_req, res) => {
    flushHeaders(res)
    res.setHeader('X-Two', 'other').end('x')
  }
  const { lines } = await answerOf([bufferHeaders, add, plain])
  expect(lines).toEqual(expect.arrayContaining(['X-One', '1', 'X-Two', 'other']))
})

test('an answer in one go replaces what was set after the release, and repeats nothing', async () => {
  const late: Middleware = (_req, res) => {
    flushHeaders(res)
    sendBody(res, 200, ['X-Two', 'other'], preparedBody(''))
  }
  const { lines } = await answerOf([bufferHeaders, add, late])
  expect(lines.filter((name) => name === 'X-Two')).toHaveLength(1)
  expect(lines).toEqual(expect.arrayContaining(['X-One', '1', 'X-Two', 'other']))
})

test('headers that are not buffered are set at once', async () => {
  const { lines } = await answerOf([add, (_req, res) => void res.end('x')])
  expect(lines).toEqual(expect.arrayContaining(['X-One', '1', 'X-Two', '2']))
})

test.each([
  ['ASCII', '{"a":"b"}'],
  ['other text', '{"a":"•ö"}'],
  ['a long text', 'x'.repeat(20_000)],
  ['bytes', Buffer.from([0, 255, 128, 10])],
])('a body of %s arrives byte for byte, with its length', async (_, content) => {
  const bytes = Buffer.from(content)
  const write: Middleware = (_req, res) => sendBody(res, 200, [], preparedBody(content))
  const get = await answerOf([bufferHeaders, write])
  expect(get.bytes.equals(bytes)).toBe(true)
  expect(get.lines).toContain(String(bytes.length))
  const head = await answerOf([bufferHeaders, write], 'HEAD')
  expect([head.bytes.length, head.lines.includes(String(bytes.length))]).toEqual([0, true])
})
