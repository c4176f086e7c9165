import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildHttpApp } from '../../../src/app/public/http-app.ts'
import { problemSender } from '../../../src/http/body/problem.ts'
import { serve } from '../../http/http-harness.ts'

const sendProblem = problemSender('https://checks.example')
const errors: unknown[] = []
let service: Awaited<ReturnType<typeof serve>>

beforeEach(async () => {
  errors.length = 0
  service = await serve(
    buildHttpApp({
      baseUrl: 'https://checks.example',
      sandbox: false,
      log: { info: () => {}, warn: () => {}, error: (...line) => void errors.push(line) },
      sendProblem,
      surfaces: [
        (req, res, next) => {
          if (req.url === '/begun') res.writeHead(200).write('{')
          if (req.url === '/begun' || req.url === '/broken') throw new Error('SECRET')
          next()
        },
      ],
    }),
  )
})
afterEach(() => service.close())

test('an unhandled error is 500 in JSON, and its message is neither sent nor logged', async () => {
  const response = await fetch(`${service.url}/broken`)
  expect(response.status).toBe(500)
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ code: 'internal_error' })
  expect(errors).toHaveLength(1)
  expect(text + JSON.stringify(errors)).not.toContain('SECRET')
})

test('an unhandled error in an answer that has begun closes the connection', async () => {
  await expect(fetch(`${service.url}/begun`).then((response) => response.text())).rejects.toThrow()
  expect(errors).toHaveLength(1)
})

test('an address that cannot be decoded is 404, and no defect', async () => {
  const response = await fetch(`${service.url}/%SECRET`)
  expect(response.status).toBe(404)
  expect(errors).toEqual([])
})

test.each(['/mcp', '/broken'])('a preflight of %s is answered before anything is judged', async (path) => {
  const headers = { origin: 'https://evil.example', 'access-control-request-headers': 'mcp-method' }
  const response = await fetch(`${service.url}${path}`, { method: 'OPTIONS', headers })
  expect([response.status, response.headers.get('access-control-allow-headers')]).toEqual([204, '*'])
  expect((await fetch(`${service.url}/mcp`)).headers.get('access-control-allow-origin')).toBe('*')
})
