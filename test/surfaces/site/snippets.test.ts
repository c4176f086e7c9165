import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readInput } from '../../../src/catalog/validate-input.ts'
import { payingFetch } from '../../../src/surfaces/site/snippets.ts'
import { outcomeOf } from '../../support/command.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { pageContext } from './site-service.ts'

let service: TestService
let snippets: ReadonlyMap<string, string>
beforeAll(async () => {
  service = await startTestService()
  snippets = codeIn(await (await fetch(service.url)).text())
})
afterAll(() => service.stop())

/** The blocks of code of a page by their labels. */
const codeIn = (page: string): ReadonlyMap<string, string> =>
  new Map(
    [...page.matchAll(/<pre tabindex="0" role="region" aria-label="([^"]+)"><code>([^<]*)<\/code>/g)].map(
      ([, label = '', text = '']) => [label, unescaped(text)],
    ),
  )
const snippet = (title: string): string => snippets.get(`Example, ${title}`) ?? ''
const runModule = (code: string) => outcomeOf(['--input-type=module', '--eval', code])
const PRICE = 1_000n

describe('as the front page shows them', () => {
  it('curl gets the terms, and pays nothing', async () => {
    const before = await service.books()
    const { code, stdout } = await outcomeOf(['-c', snippet('curl')], { program: 'sh' })
    expect(code).toBe(0)
    expect(stdout[0]).toMatch(/^HTTP\/1\.1 402 /)
    expect(JSON.parse(stdout.at(-1) ?? '').code).toBe('payment_required')
    expect(await service.books()).toEqual(before)
  })

  it('TypeScript buys a check', async () => {
    const before = await service.books()
    const { code, stdout, stderr } = await runModule(snippet('TypeScript'))
    expect(stderr).toEqual([])
    expect(code).toBe(0)
    expect(stdout.join('\n')).toContain('valid: true')
    expect((await service.books()).payee).toBe(before.payee + PRICE)
  })
})

describe('on the page of each check', () => {
  it('every call is taken as it stands', async () => {
    for (const skill of pageContext().skills.all) {
      const code = codeIn(await (await fetch(`${service.url}/checks/${skill.id}`)).text())
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
    const input = payingFetch(context, skill)
    expect(input).toContain('env.BUYER_PRIVATE_KEY')
    expect(input).not.toMatch(/sandbox|127\.0\.0\.1/)
    // It would pay real money, so it is only read.
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
