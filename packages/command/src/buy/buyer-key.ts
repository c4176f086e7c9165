import { readFileSync, statSync } from 'node:fs'
import type { Hex } from 'viem'
import { ServiceUnreachable } from '../../../../src/command-line/service-unreachable.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import type { Network } from '../../../../src/payments/networks/network.ts'
import { DEFAULT_NETWORK } from '../../../../src/payments/networks/networks.ts'
import { isLoopback } from '../../../../src/values/loopback.ts'
import { isPrivateKey } from '../../../../src/values/private-key.ts'
import { member, textOf } from '../buyer/json.ts'
import { askJson } from '../buyer/post-json.ts'

/** Permissions of group and others. */
const NOT_OWNER = 0o077

const SANDBOX_TIMEOUT_MS = 10_000

/** No key is set, and there is no sandbox whose buyer could pay. */
export class MissingKey extends UsageError {}

/** Who pays, and the node that is asked about its channels. */
export interface PayingKey {
  readonly key: Hex
  readonly rpcUrl: string
}

/**
 * Returns the key to pay with: that of the environment, else that of the funded test buyer of a sandbox on this machine at
 * `url`. Only the test buyer uses a node that the service names, since such a node could lie about what was charged. Throws
 * {@link ServiceUnreachable} if no sandbox answers.
 */
export async function findPayingKey(
  url: string,
  { publicNode }: Network = DEFAULT_NETWORK,
): Promise<PayingKey> {
  const configured = configuredKey()
  if (configured !== undefined) return { key: configured, rpcUrl: publicNode }
  const { key, rpcUrl } = isLoopback(new URL(url).hostname) ? await askSandbox(url) : NO_SANDBOX
  if (key === null) {
    throw new MissingKey(
      'no key to pay with: set BUYER_PRIVATE_KEY or BUYER_PRIVATE_KEY_FILE, or buy at a sandbox ("npm start" in the service’s source)',
    )
  }
  return { key, rpcUrl: rpcUrl ?? publicNode }
}

export const findBuyerKey = async (url: string): Promise<Hex> => (await findPayingKey(url)).key

function configuredKey(): Hex | undefined {
  const { BUYER_PRIVATE_KEY: key = '', BUYER_PRIVATE_KEY_FILE: file = '' } = process.env
  if (key !== '' && file !== '') {
    throw new UsageError('BUYER_PRIVATE_KEY_FILE contradicts BUYER_PRIVATE_KEY; set one of them')
  }
  if (file !== '') return checkKey('BUYER_PRIVATE_KEY_FILE', readKeyFile(file))
  return key === '' ? undefined : checkKey('BUYER_PRIVATE_KEY', key)
}

function checkKey(setting: string, text: string): Hex {
  if (isPrivateKey(text)) return text
  throw new UsageError(
    `${setting} must hold a private key: 0x and 64 hexadecimal digits, within the order of secp256k1`,
  )
}

function readKeyFile(path: string): string {
  try {
    // Windows has no such permissions, and Node shows everybody as allowed.
    if (process.platform !== 'win32' && (statSync(path).mode & NOT_OWNER) !== 0) {
      throw new UsageError('BUYER_PRIVATE_KEY_FILE can be read by other users; run "chmod 600" on it')
    }
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    const Fault = code === 'ENOENT' ? MissingKey : UsageError
    throw new Fault(`BUYER_PRIVATE_KEY_FILE names a file that cannot be read (${code})`)
  }
}

interface SandboxFacts {
  readonly key: Hex | null
  readonly rpcUrl: string | null
}

const NO_SANDBOX: SandboxFacts = { key: null, rpcUrl: null }

async function askSandbox(url: string): Promise<SandboxFacts> {
  const reply = await askJson(new URL('/sandbox.json', url), { timeoutMs: SANDBOX_TIMEOUT_MS }).catch(
    () => null,
  )
  if (reply === null) {
    throw new ServiceUnreachable(
      `no answer from ${url}, nothing was signed; "npm start" runs a sandbox, --url names another service`,
    )
  }
  const key = textOf(member(reply.json, 'buyer'), 'privateKey')
  return { key: isPrivateKey(key) ? key : null, rpcUrl: textOf(member(reply.json), 'rpcUrl') || null }
}
