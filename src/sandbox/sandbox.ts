import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainReader } from '../payments/chain/chain-reader.ts'
import { BASE_CHAIN_ID, TOKEN } from './addresses.ts'
import { type ChainBackend, startAnvilBackend } from './chain/anvil-backend.ts'
import { findAnvil } from './chain/anvil-binary.ts'
import { type Closers, openAll } from './closers.ts'
import { startFacilitatorServer } from './facilitator-server.ts'
import { authorizerKeyOf, loadSandboxKeys, type SandboxKeys } from './sandbox-keys.ts'

export interface SandboxOptions {
  /** Keeps keys and chain between runs; without it both are new each time. */
  readonly dataDir?: string
  readonly log?: (line: string) => void
  /** Where an anvil is looked for that npm did not install. */
  readonly searchPath?: string | undefined
}

export interface Sandbox {
  readonly chainId: typeof BASE_CHAIN_ID
  /** Identifies the chain across restarts; a new chain has a new name. A ledger belongs to one name. */
  readonly chainName: string
  readonly rpcUrl: string
  readonly facilitatorUrl: string
  readonly token: Hex
  readonly payTo: Hex
  readonly buyer: { readonly address: Hex; readonly privateKey: Hex }
  readonly chainReader: ChainReader
  readonly receiverAuthorizerKey: Hex
  /** Adds atomic units of the token to an account; returns once they are there. */
  fund(address: Hex, amount: bigint): Promise<void>
  /** Saves the chain and ends everything the sandbox started. */
  stop(): Promise<void>
}

const USDC = 1_000_000n
const BUYER_FUNDS = 1_000n * USDC
const BUYER_LOW = 100n * USDC

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const keys = loadSandboxKeys(options.dataDir)
  return openAll(async (opened) => {
    const { dataDir, log = () => {}, searchPath } = options
    const backend = await startAnvilBackend({
      binary: findAnvil(),
      facilitatorKey: keys.facilitator,
      log,
      searchPath,
      ...(dataDir === undefined ? {} : { dataDir }),
    })
    opened.add(backend.stop)
    return complete(backend, keys, opened)
  })
}

async function complete(backend: ChainBackend, keys: SandboxKeys, opened: Closers): Promise<Sandbox> {
  const buyer = { address: privateKeyToAccount(keys.buyer).address, privateKey: keys.buyer }
  if ((await backend.chainReader.balance(buyer.address)) < BUYER_LOW) {
    await backend.fund(buyer.address, BUYER_FUNDS)
  }
  const server = await startFacilitatorServer(backend.facilitator)
  opened.add(server.stop)
  return {
    chainId: BASE_CHAIN_ID,
    chainName: backend.name,
    rpcUrl: backend.rpcUrl,
    facilitatorUrl: server.url,
    token: TOKEN,
    payTo: privateKeyToAccount(keys.payee).address,
    buyer,
    chainReader: backend.chainReader,
    receiverAuthorizerKey: authorizerKeyOf(keys),
    fund: backend.fund,
    stop: opened.close,
  }
}
