/** The table of docs/a2a.md, row by row, with the SDK's client of each protocol version. */
import { readFileSync } from 'node:fs'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, describe, expect, it } from 'vitest'
import { IN_BAND, type Json, messageOf, taskOf, VERSIONS } from './a2a-client.ts'
import { startA2aService } from './a2a-service.ts'
import { client03, client10, message03, message10, request10 } from './sdk-clients.ts'

const GUIDE = readFileSync(new URL('../../../docs/a2a.md', import.meta.url), 'utf8')
const ROWS = GUIDE.split('| message | a paying fetch |')[1]!
  .split('\n\n')[0]!
  .split('\n')
  .slice(2)
  .map((row) => row.split('|').slice(1, -1))
  .map(([message = '', ...gets]) => ({
    message: message.trim().slice(1, -1).replaceAll('⏎', '\n'),
    gets: gets.map((cell) => cell.trim().replaceAll('`', '')),
  }))

/** An answer in the words of the table; `paid` in atomic units. */
function said(status: number, json: Json, paid: bigint): string {
  const task = taskOf(json)
  const help = messageOf(json)?.metadata['format-checker/help']
  if (task?.artifacts?.length > 0) {
    const results = task.artifacts[0].parts.filter((part: Json) => part.data !== undefined).length
    return `USD ${Number(paid) / 1e6}, ${results} result${results > 1 ? 's' : ''}`
  }
  if (task !== undefined) return paid === 0n ? 'task' : 'a task that was paid'
  if (paid > 0n) return `${paid} without a result`
  if (help !== undefined) return `help${help.skill === undefined ? '' : ` with ${help.skill}`}, free`
  return status === 402 ? '402' : `${json.error.code}, free`
}

describe.each(VERSIONS)('over %s', async (version) => {
  const service = await startA2aService()
  afterAll(() => service.close())

  /** Sends a text or a data part with the SDK's client, whose errors are read from the wire. */
  async function send(text: string, headers: Record<string, string>, pays: boolean): Promise<string> {
    let paid = 0n
    const wallet = new x402Client().register(
      'eip155:*',
      new ExactEvmScheme(privateKeyToAccount(generatePrivateKey())),
    )
    const seen: { status: number; json: Json }[] = []
    const watched = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init)
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
      const payment = request.headers.get('payment-signature')
      const response = await fetch(request)
      if (payment !== null && response.ok)
        paid += BigInt(JSON.parse(Buffer.from(payment, 'base64').toString()).payload.authorization.value)
      if (request.method === 'POST')
        seen.push({ status: response.status, json: await response.clone().json() })
      return response
    }
    const used = (pays ? wrapFetchWithPayment(watched, wallet) : watched) as typeof fetch
    const data = text.startsWith('{') ? JSON.parse(text) : undefined
    if (version === '1.0') {
      const parts = [
        {
          content: { $case: 'text' as const, value: text },
          metadata: undefined,
          filename: '',
          mediaType: '',
        },
      ]
      const client = await client10(service.url, used)
      await client
        .sendMessage(request10(message10(data, data === undefined ? { parts } : {})))
        .catch(() => {})
    } else {
      const client = await client03(service.url, used)
      const part = data === undefined ? { kind: 'text' as const, text } : { kind: 'data' as const, data }
      await client.sendMessage({ message: message03({ parts: [part] }) }).catch(() => {})
    }
    const last = seen.at(-1)!
    return said(last.status, last.json, paid)
  }

  it('the guide has twenty messages', () => {
    expect(ROWS).toHaveLength(20)
  })

  it.each(ROWS)('$message', async ({ message, gets }) => {
    const settled = service.double.settlements
    expect([
      await send(message, {}, true),
      await send(message, IN_BAND, false),
      await send(message, {}, false),
    ]).toEqual(gets)
    expect(service.double.settlements - settled).toBe(gets[0]?.startsWith('USD') === true ? 1 : 0)
  })
})
