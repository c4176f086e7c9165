import { randomUUID } from 'node:crypto'
import { ConfigError, type LiveConfig, readConfig } from '../config.ts'
import type { PaymentRow } from '../ledger/ledger.ts'
import { StoreUnavailable } from '../ledger/ledger.ts'
import { DataDirInUse } from '../ledger/sqlite/lock-file.ts'
import { createLog } from '../log.ts'
import { checkLiveSettings } from '../main/live/live-checks.ts'
import { openLiveStore } from '../main/live/live-store.ts'
import { FINALITY_DEPTH, USDC } from '../main/live/start-live.ts'
import { createRpcChainReader } from '../payments/chain/rpc-chain-reader.ts'
import { type Recovery, recover } from '../payments/recovery/recover.ts'
import { COMMANDS } from './commands.ts'
import { parseArguments } from './parse-arguments.ts'
import { UsageError } from './usage-error.ts'

/**
 * `reconcile`: asks the chain once about every doubtful payment, audits the settled ones, and prints what it found.
 * Beside a service that runs on the same embedded store it does nothing, since the service reconciles every minute.
 */
export async function reconcile(args: readonly string[]): Promise<number> {
  const { json } = parseArguments(COMMANDS.reconcile, args).values
  try {
    return await run(readSettings(), json)
  } catch (error) {
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

async function run(config: LiveConfig, json: boolean): Promise<number> {
  const ledger = await openLiveStore(config.store)
  try {
    const chain = createRpcChainReader({ rpcUrl: config.rpcUrl, token: USDC })
    // On the wrong chain every payment looks unused, and paid ones would be voided.
    await checkLiveSettings(config, {
      chain,
      facilitator: null,
      token: USDC,
      log: createLog({ level: 'error' }),
    })
    const missing: PaymentRow[] = []
    const recovery = await recover({
      ledger,
      chain,
      finalityDepth: FINALITY_DEPTH,
      owner: randomUUID(),
      now: Date.now,
      onMissing: (row) => missing.push(row),
    })
    if (recovery === null) {
      console.error('Another replica is reconciling at this moment; its log says what it finds.')
      return 1
    }
    console.log(
      json ? JSON.stringify({ ...recovery, missing: missing.map(nameOf) }) : describe(recovery, missing),
    )
    return recovery.reconciled.complete && recovery.audited.complete ? 0 : 1
  } finally {
    await ledger.close()
  }
}

const nameOf = ({ payer, nonce, transaction }: PaymentRow) => ({ payer, nonce, transaction })

function describe({ reconciled, audited }: Recovery, missing: readonly PaymentRow[]): string {
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
    ...(reconciled.complete && audited.complete
      ? []
      : ['The node at RPC_URL stopped answering; run it again.']),
  ].join('\n')
}

function readSettings(): LiveConfig {
  const config = readConfig()
  if (config.mode === 'live') return config
  throw new UsageError('a sandbox reconciles its own payments; reconcile needs the settings of live mode')
}
