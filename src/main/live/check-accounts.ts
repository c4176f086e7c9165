import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import type { LiveConfig } from '../../config.ts'
import type { Signer } from '../../payments/ports/signer.ts'
import { isPrivateKey } from '../../values/private-key.ts'

/**
 * One line for each account that live mode must not use: a hot key that is also PAY_TO, or an account of the sandbox,
 * whose buyer's key is published.
 */
export async function checkAccounts(
  { payTo, store }: LiveConfig,
  settlement: Signer['settlement'],
): Promise<string[]> {
  const faults: string[] = []
  const settler = settlement?.address ?? null
  const isPayTo = (address: Hex) => address.toLowerCase() === payTo.toLowerCase()
  if (settler !== null && isPayTo(settler)) {
    faults.push('SETTLEMENT_KEY: is the key of PAY_TO; a key kept on a server may hold gas and nothing else')
  }
  const sandbox = store.kind === 'sqlite' ? await sandboxAccounts(store.dataDir) : []
  if (sandbox.some(isPayTo)) {
    faults.push('PAY_TO: is an address of the sandbox in DATA_DIR; real money would go to a throw-away key')
  }
  if (settler !== null && sandbox.includes(settler)) {
    faults.push('SETTLEMENT_KEY: is a key of the sandbox in DATA_DIR')
  }
  return faults
}

/** Imports viem's accounts only if there is a key. */
async function addressOf(key: Hex): Promise<Hex> {
  const { privateKeyToAddress } = await import('viem/accounts')
  return privateKeyToAddress(key)
}

/** The addresses of a sandbox that ran in a directory before. */
async function sandboxAccounts(dataDir: string): Promise<readonly Hex[]> {
  let keys: readonly unknown[]
  try {
    keys = Object.values(JSON.parse(readFileSync(join(dataDir, 'sandbox-keys.json'), 'utf8')) as object)
  } catch {
    return []
  }
  return Promise.all(keys.map(String).filter(isPrivateKey).map(addressOf))
}
