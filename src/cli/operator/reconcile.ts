import { v4 as newId } from 'uuid'
import { COMMANDS } from '../../command-line/commands.ts'
import { parseArguments } from '../../command-line/parse-arguments.ts'
import { UsageError } from '../../command-line/usage-error.ts'
import { ConfigError, type LiveConfig, readConfig } from '../../config.ts'
import { DataDirInUse } from '../../files/lock-file.ts'
import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import { StoreUnavailable } from '../../ledger/store/store-unavailable.ts'
import { createLog } from '../../log.ts'
import { checkLiveSettings } from '../../main/live/check-live-settings.ts'
import { chainFault, openLiveChain } from '../../main/live/live-chain.ts'
import { openLiveStore } from '../../main/live/live-store.ts'
import {
  type ChainReader,
  ChainUnavailable,
  type IncomingTransfer,
} from '../../payments/chain/chain-reader.ts'
import { restorePayments } from '../../payments/recovery/restore-lost-sales.ts'
import { runRecovery } from '../../payments/recovery/run-recovery.ts'
import {
  describeFindings,
  describeRestored,
  type Findings,
  findingsJson,
  isComplete,
  NODE_STOPPED,
} from './describe-findings.ts'

/**
 * Asks the chain once about every doubtful payment and audits the settled ones. Beside a service on the same embedded
 * store it does nothing: the service reconciles every minute.
 */
export async function reconcile(args: readonly string[]): Promise<number> {
  const { json, restored } = parseArguments(COMMANDS.reconcile, args).values
  const restoreSince = restored === undefined ? null : readTime(restored)
  try {
    return await run(readSettings(), { json, restoreSince })
  } catch (error) {
    if (error instanceof ChainUnavailable) {
      console.error(NODE_STOPPED)
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

interface ReconcileOptions {
  readonly json: boolean
  /** UTC milliseconds from which lost payments are restored; null to restore none. */
  readonly restoreSince: number | null
}

async function run(config: LiveConfig, { json, restoreSince }: ReconcileOptions): Promise<number> {
  const ledger = await openLiveStore(config)
  try {
    const chain = await openRightChain(config)
    const { network } = config.chain
    const payee = { network: network.id, asset: network.token.address, payTo: config.payTo }
    const parts = { ledger, chain, payee, now: ledger.clock.now }
    const restored = restoreSince === null ? null : await restorePayments(parts, restoreSince)
    const missing: PaymentRow[] = []
    const unknown: IncomingTransfer[] = []
    const recovery = await runRecovery({
      ...parts,
      owner: newId(),
      onMissing: (row) => missing.push(row),
      onUnknown: (transfer) => void unknown.push(transfer),
    })
    if (recovery === null) {
      if (restored !== null) console.log(json ? JSON.stringify({ restored }) : describeRestored(restored))
      console.error('Another replica is reconciling at this moment; its log says what it finds.')
      return 1
    }
    const findings: Findings = { restored, recovery, missing, unknown }
    console.log(json ? findingsJson(findings) : describeFindings(findings))
    return isComplete(findings) ? 0 : 1
  } finally {
    await ledger.close()
  }
}

/** Opens the node and checks that it serves the network: on another chain every payment would look unused. */
async function openRightChain(config: LiveConfig): Promise<ChainReader> {
  const log = createLog({ level: 'error' })
  const chain = openLiveChain(config.chain, log)
  await checkLiveSettings(config, { facilitator: null, settlement: null, log })
  const fault = await chainFault(chain, config.chain.network)
  if (fault !== null) throw new ConfigError([fault])
  return chain
}

/** UTC milliseconds of a time in ISO 8601 with its zone. */
function readTime(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new UsageError('--restored must be a UTC time such as 2026-11-20T04:00:00Z')
  return time
}

function readSettings(): LiveConfig {
  const config = readConfig()
  if (config.mode === 'live') return config
  throw new UsageError('a sandbox reconciles its own payments; reconcile needs the settings of live mode')
}
