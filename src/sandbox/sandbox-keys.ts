import { join } from 'node:path'
import { concatHex, type Hex, keccak256, stringToHex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { keyFile } from '../files/key-file.ts'
import { makeFolder } from '../files/make-folder.ts'

export interface SandboxKeys {
  readonly buyer: Hex
  readonly facilitator: Hex
  readonly payee: Hex
}

const FILE = 'sandbox-keys.json'
const NAMES = ['buyer', 'facilitator', 'payee'] as const
const PRIVATE_KEY = /^0x[0-9a-f]{64}$/

/**
 * Made at first use; new at each call without a directory. Never the well-known test keys: chain id and token address
 * are those of Base, where their signatures are valid too.
 */
export function loadSandboxKeys(dataDir: string | undefined): SandboxKeys {
  if (dataDir === undefined) return generate()
  makeFolder(dataDir)
  const text = keyFile(dataDir, FILE, () => `${JSON.stringify(generate(), null, 2)}\n`)
  const keys = JSON.parse(text) as Record<string, unknown>
  const broken = NAMES.filter((name) => !PRIVATE_KEY.test(String(keys[name])))
  if (broken.length > 0) throw new Error(`${join(dataDir, FILE)} has no usable key for: ${broken.join(', ')}`)
  return keys as unknown as SandboxKeys
}

function generate(): SandboxKeys {
  return { buyer: generatePrivateKey(), facilitator: generatePrivateKey(), payee: generatePrivateKey() }
}

/** The key that signs claims and refunds of channels. It is derived, so that folders of older versions have it too. */
export const authorizerKeyOf = ({ payee }: SandboxKeys): Hex =>
  keccak256(concatHex([payee, stringToHex('receiver-authorizer')]))
