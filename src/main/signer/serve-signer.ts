import { join } from 'node:path'
import { openCardKey, openReceiptKey } from '../../app/keys/signing-keys.ts'
import { stopSignal } from '../../command-line/stop-signals.ts'
import { readSignerConfig } from '../../config.ts'
import { holdLockFile } from '../../files/lock-file.ts'
import { checkGivenKeys } from '../check-given-keys.ts'
import { prepareDataDir } from '../data-dir.ts'
import { explainStartupError } from '../explain-startup-error.ts'
import { openLog } from '../log-output.ts'
import { openDayBudget } from './day-budget.ts'
import { listenSigner } from './listen-signer.ts'
import { createPolicy } from './policy.ts'

/** Holds the keys of a service in a process of their own until a signal stops it. */
export async function serveSigner(): Promise<number | undefined> {
  // By default the signal starts the debugger, which shows the keys to any local user.
  process.on('SIGUSR1', () => {})
  const stopped = stopSignal()
  try {
    const config = readSignerConfig()
    const { dataDir, network } = config
    checkGivenKeys(config)
    prepareDataDir(dataDir)
    // Two processes that count alone would exceed the daily budget.
    const lock = holdLockFile(join(dataDir, 'signer.lock'))
    const keys = {
      settlement: config.settlementKey,
      authorizer: config.receiverAuthorizerKey,
      receipt: openReceiptKey({ keys: config, dataDir }),
      card: openCardKey({ keys: config, dataDir }),
    }
    const bounds = {
      gas: openDayBudget(join(dataDir, 'gas-budget.json'), config.dailyWei, Date.now),
      refunds: openDayBudget(join(dataDir, 'refund-budget.json'), config.dailyRefunds, Date.now),
      mostPrice: config.mostPrice,
    }
    const log = openLog(config.logLevel)
    const server = await listenSigner(config.socket, createPolicy(network, keys, bounds), log)
    log.info({ event: 'listening', mode: 'signer' }, 'startup')
    await stopped
    server.close()
    lock.release()
    process.exit(0)
  } catch (error) {
    console.error(explainStartupError(error))
    return 1
  }
}
