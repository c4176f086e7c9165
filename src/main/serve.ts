import { SecretKeyMismatch } from '../app/secret-key.ts'
import { ConfigError, readConfig } from '../config.ts'
import { DataDirInUse } from '../ledger/lock-file.ts'
import { createLog } from '../log.ts'
import { BootFault } from '../skills/boot-fault.ts'
import { firstSaleLine, sandboxBanner } from './banner.ts'
import { makeFirstSale } from './first-sale.ts'
import type { Service } from './service.ts'
import { startLive } from './start-live.ts'
import { startSandboxService } from './start-sandbox.ts'

/**
 * Runs the service by the environment until it is told to stop; resolves with the exit code of a failed start.
 * SIGTERM and SIGINT shut it down in order; a second one ends it at once.
 */
export async function serve(): Promise<number | undefined> {
  let service: Service
  try {
    service = await start()
  } catch (error) {
    return explain(error)
  }
  stopOnSignals(service)
  return undefined
}

async function start(): Promise<Service> {
  const config = readConfig()
  const log = createLog({ level: config.logLevel })
  if (config.mode === 'live') return startLive(config, log)
  const service = await startSandboxService(config, log)
  console.log(sandboxBanner(service))
  const outcome = await makeFirstSale(service)
  console.log(firstSaleLine(outcome))
  if (outcome.kind === 'bought') return service
  await service.stop()
  throw new Error('the first paid check failed')
}

function stopOnSignals(service: Service): void {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    service.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Faults of the setting-up are one line each; anything else is a defect and shows where it came from. */
function explain(error: unknown): number {
  const told =
    error instanceof ConfigError ||
    error instanceof DataDirInUse ||
    error instanceof BootFault ||
    error instanceof SecretKeyMismatch
  const busy = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  if (busy) console.error('PORT: another program listens on this port; set PORT, or PORT=0 for a free one')
  else if (told) console.error((error as Error).message)
  else console.error(error)
  return 1
}
