import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PRIVATE } from '../../../../src/lists/statement/format.ts'
import { receiptIdentity } from '../../../../src/receipts/receipt-signer.ts'
import { countersOf } from '../../../../test/support/buy-over.ts'
import { listenOnLoopback } from '../../../../test/support/loopback.ts'
import { payloadFor } from '../../../../test/support/payment-header.ts'
import { firstExample, realRegistry } from '../../../../test/support/registry.ts'
import { runCli } from '../../../../test/support/run-cli.ts'
import { startTestService, type TestService } from '../../../../test/support/sandbox-service.ts'

const [skill] = realRegistry().all
if (skill === undefined) throw new Error('no skill')
const value = String(firstExample(skill).input.value)

let service: TestService
let dir: string
let sale: { receipt: { transaction: string }; request: object; result: object }
beforeAll(async () => {
  service = await startTestService()
  dir = mkdtempSync(join(tmpdir(), 'format-checker-verify-'))
  const payload = await payloadFor(service.buyer, service.sandbox.payTo)
  const { verdict, settlement } = await countersOf(service.url).a2a.buy(skill, value, payload)
  sale = { receipt: settlement, request: { type: skill.id, value }, result: verdict }
})
afterAll(async () => {
  await service.stop()
  rmSync(dir, { recursive: true })
})

function save(name: string, content: unknown): string {
  const path = join(dir, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('a receipt is verified with the key that the named service publishes', async () => {
  const { code, stdout, stderr } = await runCli(['verify', save('sale.json', sale), '--url', service.url])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(stdout).toContain(sale.receipt.transaction)
  expect(stdout).not.toContain(value)
})

test('without a named service the signer is not checked, and nothing is fetched', async () => {
  const file = save('sale.json', sale)
  const { code, stdout } = await runCli(['verify', file])
  expect([code, stdout.split('\n')[0]]).toEqual([
    4,
    'consistent; the signer was not checked. Name the service with --url, or its keys with --jwks or --key',
  ])
  expect(stdout).not.toMatch(/genuine|signed/)
  const json = await runCli(['verify', file, '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ genuine: false, keys: 'own', signedBy: null })
  const changed = { ...sale, request: { type: skill.id, value: 'x' } }
  expect((await runCli(['verify', save('changed.json', changed)])).code).toBe(1)
})

test('a service speaks for its own name alone', async () => {
  const other = otherService('https://checks.bank.example/')
  const { code, stderr } = await runCli(['verify', other.receipt({}), '--url', service.url])
  expect([code, stderr]).toEqual([1, expect.stringContaining('another service than --url')])
  const both = await runCli(['verify', other.receipt({}), '--url', service.url, '--key', other.key])
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('give one of')])
})

/** A service that signs what it likes. */
function otherService(resourceUrl: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { kid } = receiptIdentity(publicKey, resourceUrl)
  const words = { payer: '0x1', payTo: '0x3', transaction: '0x2', network: 'eip155:8453' }
  return {
    key: save('other-key.json', publicKey.export({ format: 'jwk' })),
    receipt(change: object) {
      const payload = { version: 1, resourceUrl, amount: '1000', issuedAt: 1, ...words, ...change }
      const text = [{ alg: 'EdDSA', kid }, payload]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      const signature = `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
      return save('other.json', { format: 'jws', signature })
    },
  }
}

test('a receipt of another service prints no lines of its own and moves nothing on the terminal', async () => {
  const { key, receipt } = otherService('https://other.example/')
  const lie = 'x\u001b[2J\ngenuine\nsigned by    did:web:checks.example#key'
  const lies = { payer: lie, transaction: lie, network: lie }
  const { code, stdout } = await runCli(['verify', receipt(lies), '--key', key])
  expect([code, stdout.split('\n').length]).toEqual([0, 9])
  expect(stdout.replaceAll('\n', '')).toMatch(/^\P{Cc}*$/u)
  const asAnother = { resourceUrl: 'https://checks.example@other.example/' }
  for (const change of [{ amount: 'x' }, { issuedAt: 1e300 }, asAnother])
    expect(await runCli(['verify', receipt({ ...lies, ...change }), '--key', key])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^format-checker: not verified\. The signed part is not (?:a receipt of this version|JSON)\.$/,
      ),
    })
})

test('the service that is named cannot fill the memory with a document without an end', async () => {
  let sent = 0
  const server = createServer((_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024, ' ')
    const more = () => {
      sent += chunk.length
      response.write(chunk)
    }
    response.on('drain', more)
    more()
  })
  const { url, stop } = await listenOnLoopback(server)
  const { code, stderr } = await runCli(['verify', otherService(`${url}/`).receipt({}), '--url', url])
  await stop()
  expect([code, stderr]).toEqual([1, expect.stringContaining('does not answer with its DID document')])
  expect(sent).toBeLessThan(64 * 1024 * 1024)
})

test('a receipt is verified offline with a kept key set, DID document or key', async () => {
  const file = save('sale.json', sale)
  const read = async (path: string) => (await fetch(`${service.url}${path}`)).json()
  const keys = await read('/.well-known/jwks.json')
  const key = keys.keys.find(({ crv }: { crv: string }) => crv === 'Ed25519')
  const given = [
    ['--jwks', save('jwks.json', keys)],
    ['--jwks', save('did.json', await read('/.well-known/did.json'))],
    ['--key', save('key.json', key)],
  ]
  for (const options of given) {
    const { code, stdout } = await runCli(['verify', file, '--json', ...options])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ genuine: true, request: 'matches', result: 'matches' })
  }
})

test('what buy --json prints is verified as it is, and any change in it is found', async () => {
  const { code, stdout } = await runCli(['buy', skill.id, value, '--url', service.url, '--json'])
  expect(code).toBe(0)
  const named = ['--url', service.url]
  const verified = await runCli(['verify', save('purchase.json', stdout), '--json', ...named])
  expect(JSON.parse(verified.stdout)).toMatchObject({
    ...{ genuine: true, request: 'not_compared', result: 'matches' },
    receipt: { amount: '1000' },
  })
  for (const [from, to] of [
    ['"valid":true', '"valid":false'],
    ['"amount":"1000"', '"amount":"9"'],
    ['"replayed":false', '"replayed":0'],
    ['"kind":"bought"', '"kind":"bought","note":"read me"'],
    ['"kind":"bought"', '"kind":"bought","amount":"1000"'],
  ] as const) {
    const changed = stdout.replace(from, to)
    expect(changed).not.toBe(stdout)
    expect([to, (await runCli(['verify', save('purchase.json', changed), ...named])).code]).toEqual([to, 1])
  }
})

test('a changed file is not verified, and nothing of it is repeated', async () => {
  const changed = { ...sale, request: { type: skill.id, value: 'CANARY-5260250274' } }
  const { code, stdout, stderr } = await runCli(['verify', save('changed.json', changed)])
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/not verified\. The request or the salt/)
  expect(stderr).not.toContain('CANARY')
})

test.each([
  ['no file', []],
  ['three files', ['one', 'two', 'three']],
])('%s is wrong usage', async (_name, files) => {
  expect((await runCli(['verify', ...files])).code).toBe(2)
})

test.each([
  ['a byte order mark', (text: string) => `\uFEFF${text}`],
  ['a member twice', (text: string) => text.replace('"receipt":', '"result":null,"receipt":')],
  ['a member twice, by escapes', (text: string) => text.replace('"receipt":', '"\\u0072esult":1,"receipt":')],
  ['a member twice, deep', (text: string) => text.replace('"success":true', '"success":true,"success":true')],
  ['a number that is no whole one', (text: string) => text.replace('"receipt":', '"note":1e3,"receipt":')],
  ['half a character', (text: string) => text.replace('"value":"', '"value":"\\ud800')],
  ['something behind it', (text: string) => `${text}{}`],
])('a file with %s is refused', async (_what, change) => {
  const text = JSON.stringify(sale)
  expect(change(text)).not.toBe(text)
  const { code, stdout, stderr } = await runCli(['verify', save('strict.json', change(text))])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^format-checker: not verified\. \S+ (?:has|is not) [^\n]+$/)
})

test('an unreadable file and a file that is not JSON are faults', async () => {
  const missing = await runCli(['verify', join(dir, 'missing.json')])
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('(ENOENT)') })
  expect((await runCli(['verify', save('text.json', 'CANARY')])).stderr).not.toContain('CANARY')
})

const FILE = { file: 'a.csv', sha256: null }
const STATEMENT = {
  format: 'format-checker-statement/2',
  private: PRIVATE,
  ...{
    service: 'https://checks.example/',
    finishedAt: '2026-11-20T04:00:00.000Z',
    input: FILE,
    output: FILE,
    keys: null,
  },
  list: { columns: [{ type: 'iban', column: null }], sheet: null, leftOut: {} },
  payments: [{ amount: '5', payTo: null, authorization: null, cells: [[1]] }],
}

test.each<[string, object]>([
  ['no list', { list: undefined }],
  ['a file that is no text', { output: { file: 5, sha256: null } }],
  ['a column that is no text', { list: { ...STATEMENT.list, columns: [{ type: 'iban', column: 1 }] } }],
  ['a sheet that is no text', { list: { ...STATEMENT.list, sheet: {} } }],
  ['columns that are no list', { list: { ...STATEMENT.list, columns: 5 } }],
  ['a column that is null', { list: { ...STATEMENT.list, columns: [null] } }],
  ['no payment', { payments: [] }],
  ['no receipt', {}],
  ['an amount below nothing', { payments: [{ ...STATEMENT.payments[0], amount: '-5' }] }],
])('a statement with %s is not verified, in one line', async (_what, change) => {
  const { code, stdout, stderr } = await runCli(['verify', save('odd.json', { ...STATEMENT, ...change })])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^format-checker: not verified\. The statement has [^\n]*$/)
})

test.each([
  [['--out', 'x.xlsx', '--url', 'http://127.0.0.1:1'], /\.csv or \.jsonl/],
  [['--out', 'x.csv'], /needs --url, --jwks or --key/],
  [['--payers', '0x1'], /addresses/],
])('%j is wrong usage', async (args, words) => {
  const { code, stdout, stderr } = await runCli(['verify', save('usage.json', STATEMENT), ...args])
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(words)])
})
