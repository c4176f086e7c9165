/**
 * Writes `server.json`, the entry of the MCP registry, for a public address:
 *
 *   npm run server-json -- https://checks.example
 *
 * with PACKAGE=@owner/format-checker@1.2.0 in the environment once the command is published.
 * The committed file is the one for https://checks.example, an address that no one has; operators write their own before
 * they publish it.
 */
import { writeFileSync } from 'node:fs'
import { VERSION } from '../src/app/version.ts'
import { registryEntry } from './registry-entry.ts'

const baseUrl = new URL(process.argv[2] ?? 'https://checks.example').origin
const entry = registryEntry({ baseUrl, version: VERSION, published: process.env.PACKAGE })
writeFileSync(new URL('../server.json', import.meta.url), `${JSON.stringify(entry, null, 2)}\n`)
