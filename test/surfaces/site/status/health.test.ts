import { afterEach, describe, expect, test } from 'vitest'
import { problemSender } from '../../../../src/http/body/problem.ts'
import { liveRoutes } from '../../../../src/surfaces/site/status/live-routes.ts'
import { serve } from '../../../http/http-harness.ts'

let service: Awaited<ReturnType<typeof serve>>
afterEach(() => service.close())

const start = async (ready: () => boolean | Promise<boolean>) => {
  const sendProblem = problemSender('https://checks.example')
  const status = async () => Promise.reject(new Error('a probe asks for no status'))
  const health = liveRoutes({ sendProblem, ready, status })
  service = await serve((req, res) => health(req, res, () => res.writeHead(418).end()))
}

describe('the probes', () => {
  test('say that the process lives, whatever it waits for', async () => {
    await start(() => false)
    const response = await fetch(`${service.url}/healthz`)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({ status: 'ok' })
  })

  test.each([
    ['it is', 200, 'ok', () => true],
    ['it is, after asking', 200, 'ok', () => Promise.resolve(true)],
    ['it is not', 503, 'unavailable', () => Promise.resolve(false)],
    ['asking fails', 503, 'unavailable', () => Promise.reject(new Error('secret'))],
    [
      'asking throws',
      503,
      'unavailable',
      () => {
        throw new Error('secret')
      },
    ],
  ])('say whether the process is ready when %s', async (_what, status, word, ready) => {
    await start(ready)
    const response = await fetch(`${service.url}/readyz`)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ status: word })
  })

  test('answer HEAD, refuse other methods and leave other addresses alone', async () => {
    await start(() => true)
    expect((await fetch(`${service.url}/readyz`, { method: 'HEAD' })).status).toBe(200)
    const refused = await fetch(`${service.url}/readyz`, { method: 'POST' })
    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect((await fetch(`${service.url}/readyz//`)).status).toBe(418)
  })
})
