import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, type PrivateKeyAccount, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createMutex } from '../../../src/payments/facilitators/self/queue/mutex.ts'
import { callRpc } from '../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../src/sandbox/chain/provision.ts'
import { startFacilitatorServer } from '../../../src/sandbox/facilitator-server.ts'
import { startAnvil } from '../../support/chain-backends.ts'
import { freshAccount } from '../../support/chain-payments.ts'
import { run } from '../../support/postgres.ts'
import { lookAtChain } from '../../support/usdc-chain.ts'
import { type FacilitatorProxy, startFacilitatorProxy } from './facilitator-proxy.ts'
import type { Environment } from './live-service.ts'
import { type NodeProxy, startNodeProxy } from './node-proxy.ts'

/** What a service lives in: a chain, a facilitator and a node, of which the latter two can misbehave. */
export interface World {
  readonly rpcUrl: string
  readonly facilitator: FacilitatorProxy
  /** The settings of live mode that every service here has; each store needs a payee of its own. */
  settings(payTo: Hex, rpcUrl?: string): Environment
  /** Another way to the node, with faults of its own. */
  nodeProxy(): Promise<NodeProxy>
  /** A buyer with money for so many calls; a new one by default. */
  buyer(calls?: number, account?: PrivateKeyAccount): Promise<PrivateKeyAccount>
  /** The key of an account of its own, with ether for gas. */
  gasKey(): Promise<Hex>
  /** Units of the token on an account. */
  balance(account: Hex): Promise<bigint>
  transact(to: Hex, data: Hex): Promise<Hex>
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Lets the server's clock, as seen from this database, go forward with the others. */
  takeDatabase(url: string): Promise<void>
  /** UTC seconds by the clock that chain, services and databases have. */
  now(): number
  /**
   * Puts these clocks forward, and enough blocks on top for it to be final. A service asks its database for the time at
   * its start.
   */
  passTime(seconds: number): Promise<void>
  stop(): Promise<void>
}

/** Price of one call in units of the token. */
export const PRICE = 1_000n
const BLOCK_MS = 1_000
/** The server's own functions are looked for behind those of the database. */
const WITH_CLOCK = `
  create table passed (seconds integer);
  create function clock_timestamp() returns timestamptz volatile language sql
    as 'select pg_catalog.clock_timestamp() + seconds * interval ''1 second'' from passed';
  do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`

export const freshPayee = (): Hex => privateKeyToAccount(generatePrivateKey()).address

/** Keys that replicas have in common. */
export function commonKeys(): Environment {
  const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    SECRET_KEY: randomBytes(32).toString('hex'),
    CARD_KEY: pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    RECEIPT_KEY: pem(generateKeyPairSync('ed25519').privateKey),
  }
}

export async function startWorld(): Promise<World> {
  const backend = await startAnvil()
  const rpcUrl = backend.rpcUrl as string
  const server = await startFacilitatorServer(backend.facilitator)
  const facilitator = await startFacilitatorProxy(server.url)
  const rpc = (method: string, params: readonly unknown[] = []) => callRpc(rpcUrl, method, [...params])
  const proxies: NodeProxy[] = []
  const { balance } = lookAtChain(rpcUrl)
  // Both send from one account, whose transactions have to follow one another.
  const alone = createMutex()
  // Like the real chain this one grows without payments, so that blocks become final.
  const folder = mkdtempSync(join(tmpdir(), 'format-checker-world-'))
  const clockFile = join(folder, 'passed-ms')
  let passedSeconds = 0
  const databases: string[] = []
  const setClocks = async () => {
    writeFileSync(`${clockFile}.new`, String(passedSeconds * 1_000))
    renameSync(`${clockFile}.new`, clockFile)
    for (const url of databases) await run(url, `update passed set seconds = ${passedSeconds}`)
  }
  await setClocks()
  const blocks = setInterval(() => void rpc('evm_mine').catch(() => {}), BLOCK_MS)

  return {
    rpcUrl,
    facilitator,
    settings: (payTo, node = rpcUrl) => ({
      PAY_TO: payTo,
      FACILITATOR_URL: facilitator.url,
      RPC_URL: node,
      CLOCK_FILE: clockFile,
    }),
    nodeProxy: async () => {
      const proxy = await startNodeProxy(rpcUrl)
      proxies.push(proxy)
      return proxy
    },
    buyer: async (calls = 10, account = freshAccount()) => {
      await alone(() => backend.fund(account.address, PRICE * BigInt(calls)))
      return account
    },
    gasKey: async () => {
      const key = generatePrivateKey()
      await giveEther(rpcUrl, privateKeyToAccount(key).address)
      return key
    },
    balance,
    transact: (to, data) => alone(() => backend.transact(to, data)),
    rpc,
    takeDatabase: async (url) => {
      await run(url, WITH_CLOCK)
      await run(url, `insert into passed values (${passedSeconds})`)
      databases.push(url)
    },
    now: () => Math.floor(Date.now() / 1_000) + passedSeconds,
    passTime: async (seconds) => {
      passedSeconds += seconds
      await setClocks()
      await rpc('evm_increaseTime', [seconds])
      await rpc('anvil_mine', [toHex(20), '0x1'])
    },
    stop: async () => {
      clearInterval(blocks)
      await facilitator.stop()
      for (const proxy of proxies) await proxy.stop()
      await server.stop()
      await backend.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
