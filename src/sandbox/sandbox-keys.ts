import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { concatHex, type Hex, keccak256, stringToHex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'

export interface SandboxKeys {
  readonly buyer: Hex
  readonly facilitator: Hex
  readonly payee: Hex
}

const NAMES = ['buyer', 'facilitator', 'payee'] as const
const PRIVATE_KEY = /^0x[0-9a-f]{64}$/

/**
 * The keys of a data directory (sandbox-keys.json, readable by its owner alone), made at first use; fresh ones
 * for each call without a directory.
 *
 * They are random and never the well-known test keys: the chain id and token address are those of the real
 * chain, so what these keys sign would be valid there too.
 */
export async function loadSandboxKeys(dataDir: string | undefined): Promise<SandboxKeys> {
  if (dataDir === undefined) return generate()
  const file = join(dataDir, 'sandbox-keys.json')
  if (!existsSync(file)) await create(dataDir, file)
  const keys = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  const broken = NAMES.filter((name) => !PRIVATE_KEY.test(String(keys[name])))
  if (broken.length > 0) throw new Error(`${file} has no usable key for: ${broken.join(', ')}`)
  return keys as unknown as SandboxKeys
}

/** Writes the file; its process alone uses the directory (main/sandbox/start-sandbox.ts). */
async function create(dataDir: string, file: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, `${JSON.stringify(generate(), null, 2)}\n`, { mode: 0o600, flush: true })
}

function generate(): SandboxKeys {
  return { buyer: generatePrivateKey(), facilitator: generatePrivateKey(), payee: generatePrivateKey() }
}

/** The key that signs for the payee of channels; it follows from the others, so that older folders have it too. */
export const authorizerKeyOf = ({ payee }: SandboxKeys): Hex =>
  keccak256(concatHex([payee, stringToHex('receiver-authorizer')]))
