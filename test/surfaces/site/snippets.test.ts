import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readInput } from '../../../src/skills/validate-input.ts'
import { snippetsFor } from '../../../src/surfaces/site/snippets.ts'
import { outcomeOf } from '../../support/command.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { pageContext } from './site-service.ts'

let service: TestService
let snippets: ReadonlyMap<string, string>
beforeAll(async () => {
  service = await startTestService()
  const page = await (await fetch(service.url, { headers: { accept: 'text/markdown' } })).text()
  const blocks = [...page.matchAll(/^### (.+)\n\n.+\n\n```\w+\n([\s\S]*?)\n```$/gm)]
  snippets = new Map(blocks.map(([, title = '', code = '']) => [title, code]))
})
afterAll(() => service.stop())

const snippet = (title: string): string => snippets.get(title) ?? ''
const runModule = (code: string) => outcomeOf(['--input-type=module', '--eval', code])
const PRICE = 1_000n

describe('as the front page shows them', () => {
  it('there are four', () => {
    expect([...snippets.keys()]).toEqual(['curl', '@x402/fetch', 'A2A', 'MCP'])
  })

  it('curl gets the terms, and pays nothing', async () => {
    const before = await service.books()
    const { code, stdout } = await outcomeOf(['-c', snippet('curl')], { program: 'sh' })
    expect(code).toBe(0)
    expect(stdout[0]).toMatch(/^HTTP\/1\.1 402 /)
    expect(JSON.parse(stdout.at(-1) ?? '').code).toBe('payment_required')
    expect(await service.books()).toEqual(before)
  })

  it('@x402/fetch buys a check', async () => {
    const before = await service.books()
    const { code, stdout, stderr } = await runModule(snippet('@x402/fetch'))
    expect(stderr).toEqual([])
    expect(code).toBe(0)
    expect(stdout.join('\n')).toContain('valid: true')
    expect((await service.books()).payee).toBe(before.payee + PRICE)
  })

  it('the A2A client below it buys another', async () => {
    const before = await service.books()
    const { code, stdout, stderr } = await runModule(`${snippet('@x402/fetch')}\n${snippet('A2A')}`)
    expect(stderr).toEqual([])
    expect(code).toBe(0)
    expect(stdout.join('\n').match(/valid: true/g)).toHaveLength(2)
    expect((await service.books()).payee).toBe(before.payee + 2n * PRICE)
  })

  it('the MCP configuration leads to every tool', async () => {
    const { mcpServers } = JSON.parse(snippet('MCP'))
    const response = await fetch(mcpServers['format-checker'].url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    })
    expect(response.status).toBe(200)
    const text = await response.text()
    for (const { operationId } of pageContext().skills.all) expect(text).toContain(`"${operationId}"`)
  })
})

describe('on the page of each check', () => {
  it('every call is taken as it stands', async () => {
    for (const skill of pageContext().skills.all) {
      const page = await (await fetch(`${service.url}/checks/${skill.id}`)).text()
      const blocks = [
        ...page.matchAll(/<pre tabindex="0" role="region" aria-label="([^"]+)"><code>([^<]*)<\/code>/g),
      ]
      const code = new Map(blocks.map(([, label = '', text = '']) => [label, unescaped(text)]))
      const curl = await outcomeOf(['-c', code.get('Request over REST') ?? ''], { program: 'sh' })
      expect(curl.stdout[0], skill.id).toMatch(/^HTTP\/1\.1 402 /)

      const part = JSON.parse(code.get('Data part of an A2A message') ?? '')
      expect(part.skill).toBe(skill.id)
      expect(readInput(skill, part.input).ok).toBe(true)
      const call = JSON.parse(code.get('Parameters of an MCP call') ?? '')
      expect(call.name).toBe(skill.operationId)
      expect(readInput(skill, call.arguments).ok).toBe(true)
    }
  })
})

describe('in live mode', () => {
  it('the buyer’s key comes from the environment, and no address of this machine is named', async () => {
    const context = pageContext(false)
    const [skill] = context.skills.all
    if (skill === undefined) throw new Error('no skills')
    const code = new Map(snippetsFor(context, skill).map((each) => [each.id, each.code]))
    expect(code.get('fetch')).toContain('env.BUYER_PRIVATE_KEY')
    expect([...code.values()].join('\n')).not.toMatch(/sandbox|127\.0\.0\.1/)
    // It would pay real money, so it is only read.
    const input = `${code.get('fetch')}\n${code.get('a2a')}`
    expect(await outcomeOf(['--check', '--input-type=module', '-'], { input })).toMatchObject({
      code: 0,
      stderr: [],
    })
  })
})

const SIGNS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => SIGNS[sign] ?? '')
