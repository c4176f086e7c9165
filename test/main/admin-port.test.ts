import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { ConfigError, readConfig, type SandboxConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { makeFirstSale } from '../../src/main/sandbox/first-sale.ts'
import { startSandboxService } from '../../src/main/sandbox/start-sandbox.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { scratchDir } from '../support/service-process.ts'

let service: TestService | undefined
afterEach(async () => {
  await service?.stop()
  service = undefined
})

const viewOf = async ({ adminUrl }: TestService) => (await fetch(adminUrl)).text()
const metricsOf = async ({ adminUrl }: TestService) => (await fetch(`${adminUrl}metrics`)).text()
const seriesOf = (metrics: string) =>
  new Set(metrics.split('\n').flatMap((line) => /^(format_checker_\S+) /.exec(line)?.[1] ?? []))
const tile = (markup: string, name: string) =>
  new RegExp(`<h3>${name}</h3><p class="figure">([^<]*)</p><p>([^<]*)</p>`).exec(markup)?.slice(1)

const buy = async (bought: TestService, type: string, value: string, account = bought.buyer) => {
  const payment = await bought.pay({}, account)
  const response = await bought.check(type, value, { 'PAYMENT-SIGNATURE': payment })
  expect(response.status).toBe(200)
  return payment
}

describe('the view', () => {
  test('adds up to the settled rows and to what the payee has on the chain', async () => {
    service = await startTestService()
    const before = await service.balance(service.sandbox.payTo)
    await buy(service, 'iban', 'GB82WEST12345698765432')
    await buy(service, 'email', 'someone@example.org')
    const payment = await buy(service, 'pl-nip', '5260250274')
    // Neither a repetition, nor a refusal, nor a quote is a sale.
    await service.check('pl-nip', '5260250274', { 'PAYMENT-SIGNATURE': payment })
    await service.check('iban', 'x', { 'PAYMENT-SIGNATURE': 'e30=' })
    await service.check('iban', 'x')

    const received = (await service.balance(service.sandbox.payTo)) - before
    const rows = service.rows().filter(({ state }) => state === 'settled')
    expect(received).toBe(3_000n)
    expect(rows.reduce((sum, { amount }) => sum + BigInt(amount as string), 0n)).toBe(received)
    const markup = await viewOf(service)
    expect(tile(markup, 'All time')).toEqual(['$0.003', `3 values in ${rows.length} sales`])
    expect(tile(markup, 'Today')).toEqual(['$0.003', '3 values in 3 sales'])
    expect(markup).toContain('no real money')

    const metrics = await metricsOf(service)
    expect(metrics).toContain('format_checker_sales_total{surface="rest",type="iban",outcome="sold"} 1')
    expect(metrics).toContain('format_checker_sales_total{surface="rest",type="pl-nip",outcome="replayed"} 1')
    expect(metrics).toContain('format_checker_settlement_duration_seconds_count{outcome="settled"} 3')
    expect(metrics).toContain('format_checker_open_payments{state="in_doubt"} 0')
  })

  test('counts the sales of own payers apart', async () => {
    const scratch = scratchDir()
    const environment = { PORT: '0', DATA_DIR: scratch.path }
    const start = (more: Record<string, string>) =>
      startSandboxService(
        readConfig({ ...environment, ...more }) as SandboxConfig,
        createLog({ level: 'silent' }),
      )
    const first = await start({})
    const { address } = first.sandbox.buyer
    await first.stop()
    const second = await start({ OWN_PAYERS: address })
    try {
      expect(second.sandbox.buyer.address).toBe(address)
      expect(await makeFirstSale(second)).not.toBeNull()
      const markup = await (await fetch(second.adminUrl ?? '')).text()
      expect(tile(markup, 'All time')).toEqual(['$0.00', '0 values in 0 sales'])
      expect(markup).toContain('1 ($0.001)')
    } finally {
      await second.stop()
      scratch.remove()
    }
  })
})

describe('what a client sends', () => {
  const CANARY = 'CANARY-5260250274'

  test('is neither in the view nor in a metric', async () => {
    service = await startTestService()
    await buy(service, 'email', CANARY)
    await service.check('iban', CANARY)
    await service.check(CANARY, CANARY)
    await fetch(`${service.url}/${CANARY}?${CANARY}`, { headers: { [CANARY]: CANARY } })
    const call = (method: string, params: object) =>
      fetch(`${service?.url}/a2a`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
    await call(CANARY, {})
    await call('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: CANARY }] } })
    const metrics = await metricsOf(service)
    expect((await viewOf(service)) + metrics).not.toMatch(/CANARY|5260250274/i)
    // The view shows payers to the operator; a metric never does.
    expect(metrics.toLowerCase()).not.toContain(service.buyer.address.toLowerCase())
  })

  test('makes no series, whatever paths, methods, types and headers it makes up', async () => {
    service = await startTestService()
    const { url } = service
    const attack = async (round: string) => {
      for (let n = 0; n < 30; n += 1) {
        const word = `${round}-${n}`
        await fetch(`${url}/${word}`, { method: n % 2 === 0 ? 'GET' : 'DELETE' })
        await fetch(`${url}/api/validate/${word}`, { method: 'POST', body: word })
        await fetch(`${url}/mcp`, { method: 'POST', headers: { 'Content-Type': word }, body: word })
        await fetch(`${url}/a2a`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: `"${word}"`,
        })
        await service?.check('iban', word, { 'PAYMENT-SIGNATURE': Buffer.from(word).toString('base64') })
      }
    }
    await attack('first')
    const before = seriesOf(await metricsOf(service))
    await attack('second')
    const after = seriesOf(await metricsOf(service))
    expect([...after].filter((series) => !before.has(series))).toEqual([])
    expect(after.size).toBeLessThan(400)
  })
})

describe('the admin port', () => {
  test('serves nothing but its three addresses, to be read only', async () => {
    service = await startTestService()
    const { adminUrl, url } = service
    const css = await fetch(`${adminUrl}operator.css`)
    expect(css.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect((await fetch(`${adminUrl}api/types`)).status).toBe(404)
    expect((await fetch(`${adminUrl}toString`)).status).toBe(404)
    expect((await fetch(adminUrl, { method: 'POST' })).status).toBe(405)
    expect((await fetch(adminUrl, { method: 'HEAD' })).status).toBe(200)
    const policy = (await fetch(adminUrl)).headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; style-src 'self';/)
    for (const path of ['metrics', 'operator.css']) expect((await fetch(`${url}/${path}`)).status).toBe(404)
  })

  test('asks for the token where there is one', async () => {
    service = await startTestService({ ADMIN_TOKEN: 'a-token-of-some-length' })
    const { adminUrl } = service
    for (const path of ['', 'metrics', 'operator.css', 'anything'])
      expect((await fetch(`${adminUrl}${path}`)).status).toBe(401)
    const headers = { Authorization: 'Bearer a-token-of-some-length' }
    expect((await fetch(`${adminUrl}metrics`, { headers })).status).toBe(200)
  })

  test('gives every answer, refusals included, an id and the headers of the public pages', async () => {
    service = await startTestService({ ADMIN_TOKEN: 'a-token-of-some-length' })
    const { adminUrl, url } = service
    const ofPage = (await fetch(`${url}/`)).headers
    const own = ['content-security-policy', 'cross-origin-resource-policy', 'cache-control']
    const shared = [...ofPage.keys()].filter((name) => /^(x-|cross-|referrer|content-sec|origin-)/.test(name))
    expect(shared).toContain('x-content-type-options')
    const authorization = 'Bearer a-token-of-some-length'
    for (const [path, headers] of [
      ['', {}],
      ['', { authorization }],
      ['nothing', { authorization }],
      ['metrics', { authorization }],
    ] as const) {
      const answer = (await fetch(`${adminUrl}${path}`, { headers })).headers
      for (const name of shared) {
        if (name === 'x-sandbox') continue
        expect(answer.get(name), name).not.toBeNull()
        if (!own.includes(name) && name !== 'x-request-id') expect(answer.get(name)).toBe(ofPage.get(name))
      }
      expect(answer.get('cache-control')).toBe('no-store')
      expect(answer.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  })

  test('logs every view of rows and every refusal, and no scrape', async () => {
    service = await startTestService({ ADMIN_TOKEN: 'a-token-of-some-length', LOG_LEVEL: 'info' })
    const { adminUrl, logged } = service
    await buy(service, 'iban', 'GB82WEST12345698765432')
    const lines = () =>
      logged
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ event }) => String(event).startsWith('admin_'))
        .map(({ event, route, count, code }) => [event, route ?? code, count])
    const headers = { Authorization: 'Bearer a-token-of-some-length' }
    const ids = []
    for (const path of ['metrics', 'operator.css', '', 'sales.csv?days=1']) {
      const response = await fetch(`${adminUrl}${path}`, { headers })
      await response.text()
      ids.push(response.headers.get('x-request-id'))
    }
    await fetch(adminUrl, { headers: { Authorization: 'Bearer CANARY-of-a-guess' } })
    await expect.poll(lines).toEqual([
      ['admin_view', '/', undefined],
      ['admin_view', '/sales.csv', 1],
      ['admin_refused', 'wrong_token', undefined],
    ])
    expect(logged.join('')).toContain(`"requestId":"${ids[2]}"`)
    expect(logged.join('')).not.toContain('CANARY')
    const metrics = await (await fetch(`${adminUrl}metrics`, { headers })).text()
    expect(metrics).toContain('format_checker_admin_refusals_total 1')
  })

  test('that is taken stops the start with a line that names it', async () => {
    const other = createServer()
    const port = await new Promise<number>((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
    )
    const failure = await startTestService({ ADMIN_PORT: String(port) }).catch((error: unknown) => error)
    other.close()
    expect(failure).toBeInstanceOf(ConfigError)
    expect((failure as ConfigError).faults).toEqual(['ADMIN_PORT: cannot listen there (EADDRINUSE)'])
  })
})
