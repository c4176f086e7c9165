import type { Hex, LocalAccount } from 'viem'
import { PRICE_UNITS } from '../../../catalog/price.ts'
import type { LiveConfig } from '../../../config.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { Log } from '../../../log.ts'
import { nodeClient } from '../../chain/node-transport.ts'
import { DEFAULT_NETWORK } from '../../networks/networks.ts'
import { createGasGauge } from './gas/gas-level.ts'
import { findBatchForm } from './queue/choose-batch.ts'
import { createLedgerJournal } from './queue/settlement-journal.ts'
import { createSelfFacilitator } from './self-facilitator.ts'
import { persistTransactionHash } from './transaction/persist-transaction-hash.ts'
import { dollarsOf } from './treasury/treasury.ts'

/** How long a settlement waits for another replica to send, and how long sending may take. */
const SEND_TURN = { waitMs: 5_000, holdMs: 30_000 }

const NODE_MS = 5_000

/** Reads what the chain says of own settlements, and sends nothing. Both reject if the node does not answer. */
export function inspectSettlement(options: { readonly rpcUrls: readonly string[]; readonly account: Hex }) {
  const client = nodeClient({ rpcUrls: options.rpcUrls, timeoutMs: NODE_MS, retryCount: 0 })
  return { gasLevel: createGasGauge(options), batchForm: () => findBatchForm(client) }
}

/**
 * Writes the hash of each transaction to the payment's row before it is sent. Replicas on one database that settle with
 * the same key send one at a time.
 */
export async function openSettlement(
  {
    facilitator,
    chain: { network, rpcUrls },
    baseUrl,
    store,
    channels,
  }: Pick<LiveConfig, 'chain' | 'facilitator' | 'baseUrl' | 'store' | 'channels'>,
  settlement: LocalAccount,
  ledger: Ledger,
  log: Log,
) {
  if (facilitator.kind !== 'self') throw new Error('another facilitator is configured')
  const { maxCost, contractWallets, dailyLoss, ethUsd } = facilitator
  const { address: account } = settlement
  // The name on the default network has no network in it, as in versions that had no other.
  const sender = network === DEFAULT_NETWORK ? account : `${network.id}/${account}`
  const turn =
    store.kind === 'postgres'
      ? (await import('../../../ledger/postgres/postgres-lock.ts')).openPostgresLock({
          url: store.url,
          name: `send from ${sender}`,
          ...SEND_TURN,
        })
      : null
  const client = createSelfFacilitator({
    rpcUrls,
    account: settlement,
    chainId: network.chainId,
    finalityDepth: network.finalityDepth,
    token: network.token.address,
    channels: channels !== null,
    maxCost,
    contractWallets,
    treasury: {
      ledger,
      dailyLoss,
      ethUsd,
      now: ledger.clock.now,
      report: (event) => log.warn({ event, setting: 'SETTLEMENT_KEY' }, 'treasury'),
    },
    journal: createLedgerJournal(ledger, sender),
    onSigned: persistTransactionHash({ ledger, network: network.id, token: network.token.address }),
    ...(turn === null ? {} : { lock: turn.run }),
  })
  const gasLevel = createGasGauge({ rpcUrls, account })
  void gasLevel().then(
    ({ cost }) => {
      if (dollarsOf(cost, ethUsd) >= PRICE_UNITS)
        log.warn({ event: 'sold_without_profit', setting: 'SETTLEMENT_KEY' }, 'startup')
    },
    // The monitor of the account reads it again and says what is wrong.
    () => {},
  )
  void client.batchForm().then(
    (form) => {
      if (form === null) log.warn({ event: 'settling_alone', setting: 'RPC_URL' }, 'startup')
    },
    // The chain monitor reports a node that does not answer.
    () => {},
  )
  return {
    client,
    publicUrl: `${baseUrl}/docs/operations#settling-yourself`,
    gasLevel,
    settlementState: client.settlementState,
    admits: client.admits,
    close: async () => {
      client.close()
      await turn?.close()
    },
  }
}
