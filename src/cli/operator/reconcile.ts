import { v4 as newId } from 'uuid'
import { ConfigError, type LiveConfig, readConfig } from '../../config.ts'
import type { PaymentRow } from '../../ledger/payment-row.ts'
import { DataDirInUse } from '../../ledger/sqlite/lock-file.ts'
import { StoreUnavailable } from '../../ledger/store-unavailable.ts'
import { createLog } from '../../log.ts'
import { chainFault, openLiveChain } from '../../main/live/live-chain.ts'
import { checkLiveSettings } from '../../main/live/live-checks.ts'
import { openLiveStore } from '../../main/live/live-store.ts'
import { FINALITY_DEPTH } from '../../main/live/start-live.ts'
import { ChainUnavailable, type IncomingTransfer } from '../../payments/chain/chain-reader.ts'
import { USDC } from '../../payments/chain/usdc.ts'
import { createRpcChannelReader } from '../../payments/channels/chain/rpc-channel-reader.ts'
import { reconcileChannels } from '../../payments/channels/recovery/reconcile-channels.ts'
import { type Recovery, recover } from '../../payments/recovery/recover.ts'
import { type Restored, restorePayments } from '../../payments/recovery/restore.ts'
import { NETWORK } from '../../payments/terms/terms.ts'
import { COMMANDS } from '../command-line/commands.ts'
import { parseArguments } from '../command-line/parse-arguments.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { channelsJson, describeChannels } from './describe-channels.ts'

/**
 * `reconcile`: asks the chain once about every doubtful payment, audits the settled ones, and prints what it found.
 * Beside a service that runs on the same embedded store it does nothing, since the service reconciles every minute.
 */
export async function reconcile(args: readonly string[]): Promise<number> {
  const { json, restored } = parseArguments(COMMANDS.reconcile, args).values
  const since = restored === undefined ? null : readTime(restored)
  try {
    return await run(readSettings(), json, since)
  } catch (error) {
    if (error instanceof ChainUnavailable) {
      console.error(STOPPED)
      return 1
    }
    const isExpected = error instanceof ConfigError || error instanceof StoreUnavailable
    if (!isExpected && !(error instanceof DataDirInUse)) throw error
    console.error(
      isExpected
        ? error.message
        : 'A service runs on this DATA_DIR. It reconciles at its start and every minute, and logs what it finds; stop it to run this by hand.',
    )
    return 1
  }
}

async function run(config: LiveConfig, json: boolean, since: number | null): Promise<number> {
  const ledger = await openLiveStore(config.store)
  try {
    const log = createLog({ level: 'error' })
    const chain = openLiveChain(config.rpcUrls, log)
    await checkLiveSettings(config, { facilitator: null, log })
    // On the wrong chain every payment looks unused.
    const fault = await chainFault(chain)
    if (fault !== null) throw new ConfigError([fault])
    const missing: PaymentRow[] = []
    const unknown: IncomingTransfer[] = []
    const payee = { network: NETWORK, asset: USDC, payTo: config.payTo }
    const common = { ledger, chain, payee, finalityDepth: FINALITY_DEPTH, now: Date.now }
    const restored = since === null ? null : await restorePayments(common, since)
    const recovery = await recover({
      ...common,
      owner: newId(),
      onMissing: (row) => missing.push(row),
      onUnknown: (transfer) => void unknown.push(transfer),
    })
    const channels = await reconcileChannels({
      ...common,
      reader: createRpcChannelReader(config.rpcUrls),
      payee: { payTo: config.payTo.toLowerCase(), asset: USDC.toLowerCase() },
    })
    if (recovery === null) {
      console.error('Another replica is reconciling at this moment; its log says what it finds.')
      return 1
    }
    console.log(
      json
        ? JSON.stringify({
            ...recovery,
            ...(channels === null ? {} : { channels: channelsJson(channels) }),
            restored,
            missing: missing.map(nameOf),
            unknown: unknown.map(transferOf),
          })
        : [
            describeRestored(restored),
            describe(recovery, missing, unknown),
            channels === null ? '' : describeChannels(channels),
          ]
            .filter(Boolean)
            .join('\n'),
    )
    return isComplete(recovery) && channels?.complete !== false ? 0 : 1
  } finally {
    await ledger.close()
  }
}

const STOPPED = 'The node at RPC_URL stopped answering; run it again.'

const isComplete = ({ reconciled, audited, scanned }: Recovery): boolean =>
  reconciled.complete && audited.complete && scanned.complete

const describeRestored = (restored: Restored | null): string =>
  restored === null
    ? ''
    : [
        'payments since the backup',
        `  restored ${restored.restored}  written from the chain; each answers its buyer`,
        `  ignored  ${restored.ignored}  transfers that are not payments for a check`,
      ].join('\n')

/** UTC milliseconds of a time in ISO 8601 with its zone. */
function readTime(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new UsageError('--restored must be a UTC time such as 2026-11-20T04:00:00Z')
  return time
}

const transferOf = ({ from, amount, transaction }: IncomingTransfer) => ({
  payer: from,
  amount: String(amount),
  transaction,
})

const nameOf = ({ payer, nonce, transaction }: PaymentRow) => ({ payer, nonce, transaction })

function describe(
  recovery: Recovery,
  missing: readonly PaymentRow[],
  unknown: readonly IncomingTransfer[],
): string {
  const { reconciled, audited } = recovery
  return [
    'doubtful payments',
    `  settled  ${reconciled.settled}  found on the chain; their buyers get the answer if they repeat the request`,
    `  void     ${reconciled.void}  not charged, and expired`,
    `  open     ${reconciled.open}  not certain yet`,
    'settled payments',
    `  found    ${audited.found}  their transfer is on the chain`,
    `  missing  ${audited.missing}  answered on the facilitator's word, and no transfer came`,
    ...missing.map(({ payer, transaction }) => `             ${payer} ${transaction}`),
    `  open     ${audited.open}  too early to tell`,
    'transfers to PAY_TO without a row',
    `  found    ${unknown.length}  money that no payment of this ledger accounts for`,
    ...unknown.map(({ from, transaction }) => `             ${from} ${transaction}`),
    ...(isComplete(recovery) ? [] : [STOPPED]),
  ].join('\n')
}

function readSettings(): LiveConfig {
  const config = readConfig()
  if (config.mode === 'live') return config
  throw new UsageError('a sandbox reconciles its own payments; reconcile needs the settings of live mode')
}
