/** Clients of the SDK without a wallet list the tools, and read a 402 without throwing. */
import assert from 'node:assert/strict'
import { assertTerms } from '../paid-result.ts'
import type { Trial } from '../target.ts'

const VALUE = 'PL61109010140000071219812874'

const PACKAGES = {
  '1.12.1': 'sdk-1.12',
  '1.26.0': 'sdk-1.26',
  '1.32.2': '@modelcontextprotocol/sdk',
}

export const plainTrials: readonly Trial[] = Object.entries(PACKAGES).map(([version, name]) => ({
  name: `MCP SDK ${version} lists and reads the terms`,
  async run({ url }) {
    const { Client } = await import(`${name}/client/index.js`)
    const { StreamableHTTPClientTransport } = await import(`${name}/client/streamableHttp.js`)
    const client = new Client({ name: 'plain', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    // Listing first makes these clients validate what a tool answers.
    const { tools } = await client.listTools()
    assert.equal(tools.length, 7)
    for (const { name } of tools) {
      const args = name === 'validate_batch' ? { items: [{ type: 'iban', value: VALUE }] } : { value: VALUE }
      assertTerms(await client.callTool({ name, arguments: args }))
    }
    const { resources } = await client.listResources()
    assert.equal(resources.length, 2)
    for (const { uri } of resources) await client.readResource({ uri })
    await client.close()
  },
}))
