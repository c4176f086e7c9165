import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { scratchDir } from '../../../../test/support/service-process.ts'
import { stubFetch, unstubFetch } from '../../../../test/support/stub-fetch.ts'
import { findPayingKey } from '../../src/buy/buyer-key.ts'

const OWN = `0x${'11'.repeat(32)}`
const SANDBOX = `0x${'22'.repeat(32)}`
const NODE = 'http://127.0.0.1:8545'

const asked = vi.fn<typeof fetch>()
beforeEach(() => {
  asked.mockImplementation(async () => Response.json({ buyer: { privateKey: SANDBOX }, rpcUrl: NODE }))
  stubFetch(asked)
  vi.stubEnv('BUYER_PRIVATE_KEY', '')
  vi.stubEnv('BUYER_PRIVATE_KEY_FILE', '')
})
afterEach(() => {
  asked.mockReset()
  unstubFetch()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('the test buyer of a sandbox uses its node', async () => {
  expect(await findPayingKey('http://localhost:4021/')).toEqual({ key: SANDBOX, rpcUrl: NODE })
})

test('an answer larger than that of any sandbox is not taken for one', async () => {
  const text = JSON.stringify({ buyer: { privateKey: SANDBOX } }) + ' '.repeat(17 * 1024 * 1024)
  asked.mockImplementation(async () => new Response(text))
  await expect(findPayingKey('http://localhost:4021/')).rejects.toThrow('no answer from')
})

test('an own key is used with no node that a service names', async () => {
  vi.stubEnv('BUYER_PRIVATE_KEY', OWN)
  expect(await findPayingKey('http://127.0.0.1:4021/')).toEqual({
    key: OWN,
    rpcUrl: 'https://mainnet.base.org',
  })
  expect(asked).not.toHaveBeenCalled()
})

test.each([
  ['zero', `0x${'00'.repeat(32)}`],
  ['a number beyond the order of the curve', `0x${'ff'.repeat(32)}`],
  ['a number of half the length', `0x${'11'.repeat(16)}`],
])('%s is no key to pay with', async (_what, key) => {
  vi.stubEnv('BUYER_PRIVATE_KEY', key)
  await expect(findPayingKey('http://127.0.0.1:4021/')).rejects.toThrow(
    'BUYER_PRIVATE_KEY must hold a private key',
  )
})

test('no other machine is taken for a sandbox', async () => {
  await expect(findPayingKey('https://127.0.0.1.checks.example/')).rejects.toThrow('no key to pay with')
  expect(asked).not.toHaveBeenCalled()
})

test.each([
  ['linux', false],
  ['win32', true],
])('a key file whose mode lets others read it: on %s it is taken: %s', async (platform, isTaken) => {
  const scratch = scratchDir()
  const path = join(scratch.path, 'key')
  writeFileSync(path, `${OWN}\r\n`, { mode: 0o666 })
  chmodSync(path, 0o666)
  vi.stubEnv('BUYER_PRIVATE_KEY_FILE', path)
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform as NodeJS.Platform)
  const found = findPayingKey('http://127.0.0.1:4021/')
  await (isTaken
    ? expect(found).resolves.toMatchObject({ key: OWN })
    : expect(found).rejects.toThrow('can be read by other users'))
  scratch.remove()
})
