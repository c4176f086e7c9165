import { AgentCard } from '@a2a-js/sdk'
import { afterEach, expect, test, vi } from 'vitest'
import { createBuyer } from '../../src/buyer/buyer.ts'

const cardNaming = (url: string) =>
  AgentCard.toJSON(
    AgentCard.fromJSON({
      name: 'x',
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    }),
  )

/** Asks for the terms of a check at a service whose card names that address; returns what was called. */
async function callsOf(service: string, named: string): Promise<string[]> {
  const called: string[] = []
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const url = String(input instanceof Request ? input.url : input)
    called.push(url)
    return url.endsWith('agent-card.json')
      ? Response.json(cardNaming(named))
      : Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'internal_error: x' } })
  })
  await createBuyer({ url: service, type: 'pl-pesel', surface: 'a2a', maxAmount: 1_000n }).terms(
    '44051401359',
  )
  return called.filter((url) => !url.endsWith('agent-card.json'))
}

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['https://checks.example/', 'https://checks.example/a2a'],
  ['https://checks.example/', 'https://agent.example/a2a'],
  ['http://127.0.0.1:4021/', 'http://127.0.0.1:4021/a2a'],
  ['http://127.0.0.1:4021/', 'https://checks.example/a2a'],
])('a value for %s goes to %s, which its card names', async (service, named) => {
  expect(await callsOf(service, named)).toEqual([named])
})

test.each([
  'http://checks.example/a2a',
  'http://127.0.0.1:4021/a2a',
  'http://169.254.169.254/latest/',
])('a value that was given to https is not sent without TLS, whatever the card names: %s', async (named) => {
  expect(await callsOf('https://checks.example/', named)).toEqual([])
})
