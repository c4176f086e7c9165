/** Hosts without a wallet: they start `format-checker mcp` over stdio, which pays for them. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runNode } from '../command.ts'
import { assertListResults, LIST_ITEMS } from '../orders.ts'
import type { Target, Trial } from '../target.ts'

const CLI = resolve(import.meta.dirname, '../../../packages/command/src/cli.ts')
const INSPECTOR = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
const IBAN = 'PL61109010140000071219812874'
const SDKS = { '1.12.1': 'sdk-1.12', '1.26.0': 'sdk-1.26', '1.32.2': '@modelcontextprotocol/sdk' }

/** What a host has in its configuration. */
const serverAt = ({ origin, privateKey }: Target, home: string) => ({
  command: process.execPath,
  args: [CLI, 'mcp', '--url', origin],
  env: { HOME: home, BUYER_PRIVATE_KEY: privateKey },
})

async function withHome(run: (home: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'format-checker-'))
  await run(home).finally(() => rm(home, { recursive: true, force: true }))
}

interface LocalResult {
  readonly isError?: boolean
  readonly structuredContent?: {
    readonly result: { readonly valid: boolean }
    readonly payment: { readonly amount: string; readonly transaction: string }
  }
}

function assertBought(result: unknown): void {
  const { isError, structuredContent } = result as LocalResult
  assert.notEqual(isError, true, JSON.stringify(result))
  assert.equal(structuredContent?.result.valid, true)
  assert.equal(structuredContent.payment.amount, '0.001 USDC')
  assert.match(structuredContent.payment.transaction, /^0x[0-9a-f]{64}$/)
}

function assertBoughtList(result: unknown): void {
  const { isError, structuredContent } = result as LocalResult
  assert.notEqual(isError, true, JSON.stringify(result).slice(0, 500))
  const { results } = structuredContent?.result as unknown as { results: unknown }
  assertListResults(results)
  assert.equal(structuredContent?.payment.amount, '0.1 USDC')
}

const sdkTrials: readonly Trial[] = Object.entries(SDKS).map(([version, name]) => ({
  name: `MCP SDK ${version} buys a check and a list of 100 through the local server`,
  run: (target) =>
    withHome(async (home) => {
      const { Client } = await import(`${name}/client/index.js`)
      const { StdioClientTransport } = await import(`${name}/client/stdio.js`)
      const client = new Client({ name: 'host', version: '1' })
      await client.connect(new StdioClientTransport(serverAt(target, home)))
      // Listing first makes these clients validate what a tool answers.
      assert.equal((await client.listTools()).tools.length, 7)
      assertBought(await client.callTool({ name: 'validate_iban', arguments: { value: IBAN } }))
      assertBoughtList(await client.callTool({ name: 'validate_batch', arguments: { items: LIST_ITEMS } }))
      await client.close()
    }),
}))

const inspectorTrial: Trial = {
  name: 'Inspector 2.12.0 buys a check and a list of 100 through the local server',
  run: (target) =>
    withHome(async (home) => {
      const config = join(home, 'hosts.json')
      await writeFile(config, JSON.stringify({ mcpServers: { local: serverAt(target, home) } }))
      const inspect = async (...args: string[]) => {
        const { exitCode, stdout, stderr } = await runNode([
          INSPECTOR,
          '--cli',
          '--config',
          config,
          '--server',
          'local',
          ...args,
        ])
        assert.equal(exitCode, 0, stderr)
        return JSON.parse(stdout)
      }
      assert.equal((await inspect('--method', 'tools/list', '--strict')).tools.length, 7)
      const call = ['--method', 'tools/call', '--tool-name', 'validate_iban', '--tool-arg', `value=${IBAN}`]
      assertBought(await inspect(...call))
      const items = `items=${JSON.stringify(LIST_ITEMS)}`
      const list = ['--method', 'tools/call', '--tool-name', 'validate_batch', '--tool-arg', items]
      assertBoughtList(await inspect(...list))
    }),
}

export const localStdioTrials: readonly Trial[] = [...sdkTrials, inspectorTrial]
