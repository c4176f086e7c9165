/**
 * The clients of the x402 project's own end-to-end tests, whose installed folder `e2e/clients` an argument names:
 * `--x402-e2e FOLDER`. They send GET, so a converter makes each request a check of one value.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { privateKeyToAddress } from 'viem/accounts'
import { chainAt } from '../clients/two-addresses.ts'
import type { Target, Trial } from '../target.ts'

const PATH = '/api/validate/iban'
const VALUE = 'DE89 3704 0044 0532 0130 00'
const PRICE = 1_000n
const HANGING_MS = 120_000
/** The clients want a key of Solana, too. This one is the first test vector of RFC 8032, and signs nothing. */
const OTHER_KEY = '49W385L4rePHy6PAaQUovbD2aacgN4HsKXSMeUzRg4fmwXszN91JuMFrQRj3vMDpZuRF3ZknQBuRBoWQJEfXstMw'

async function startConverter(origin: string) {
  const server = createServer(async ({ url, headers }, response) => {
    try {
      const payment = headers['payment-signature']
      const answer = await fetch(`${origin}${url}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(payment === undefined ? {} : { 'payment-signature': String(payment) }),
        },
        body: JSON.stringify({ value: VALUE }),
      })
      const { 'content-encoding': _, 'content-length': __, ...told } = Object.fromEntries(answer.headers)
      response.writeHead(answer.status, told).end(await answer.text())
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What the client prints: one line of JSON, about its one purchase. */
async function runClient(folder: string, url: string, { privateKey }: Target, rpcUrl: string) {
  const client = spawn(process.execPath, ['--import', 'tsx', 'index.ts'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      ...{ RESOURCE_SERVER_URL: url, ENDPOINT_PATH: PATH },
      ...{ EVM_PRIVATE_KEY: privateKey, EVM_NETWORK: 'eip155:8453', EVM_RPC_URL: rpcUrl },
      SVM_PRIVATE_KEY: OTHER_KEY,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: HANGING_MS,
  })
  const said = (await buffer(client.stdout)).toString()
  const last = said.trim().split('\n').at(-1) ?? ''
  assert.match(last, /^\{/, `the client printed no result:\n${said}`)
  return JSON.parse(last) as { success: boolean; status_code: number; data: { valid?: unknown } }
}

/** `folder`: that of the clients; without it the trials are skipped. */
export const x402E2eTrials = (folder: string | undefined): readonly Trial[] =>
  ['fetch', 'axios'].map((name) => ({
    name: `the x402 project’s own ${name} client of its end-to-end tests buys`,
    ...(folder === undefined ? { lacks: '--x402-e2e FOLDER' } : {}),
    async run(target) {
      const { rpcUrl, balance } = await chainAt(target)
      const payer = privateKeyToAddress(target.privateKey)
      const before = await balance(payer)
      const converter = await startConverter(target.origin)
      try {
        const { success, status_code, data } = await runClient(
          join(folder ?? '', name),
          converter.url,
          target,
          rpcUrl,
        )
        assert.deepEqual(
          { success, status_code, valid: data.valid },
          { success: true, status_code: 200, valid: true },
        )
        assert.equal(before - (await balance(payer)), PRICE)
      } finally {
        await converter.stop()
      }
    },
  }))
