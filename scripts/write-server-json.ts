/**
 * Writes `server.json`, the entry of the MCP registry, for a public address:
 *
 *   npm run server-json -- https://checks.example
 *
 * with PACKAGE=@owner/format-checker@1.2.0 in the environment once the command is published.
 * The committed file is the one for https://checks.example, an address that no one has; operators write and commit their
 * own before they pack and publish it.
 */
import { writeFileSync } from 'node:fs'
import { VERSION } from '../src/files/version.ts'
import { registryText } from './registry-entry.ts'

const [address = ''] = process.argv.slice(2)
if (URL.canParse(address)) {
  const { origin: baseUrl } = new URL(address)
  const text = registryText({ baseUrl, version: VERSION, published: process.env.PACKAGE })
  writeFileSync(new URL('../server.json', import.meta.url), text)
} else {
  console.error('usage: npm run server-json -- https://YOUR_HOST')
  process.exitCode = 2
}
