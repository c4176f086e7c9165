import { stopSignal } from '../command-line/stop-signals.ts'
import { type Config, ConfigError, readConfig, startedPackage } from '../config.ts'
import { VERSION } from '../files/version.ts'
import { unexpectedError } from '../http/unexpected-error.ts'
import type { Log } from '../log.ts'
import { explainStartupError } from './explain-startup-error.ts'
import { openLog } from './log-output.ts'
import { npmGone } from './npm-gone.ts'
import type { Service } from './service.ts'

/**
 * Runs the service until SIGTERM, SIGINT or the end of the npm that started it, which shut it down in order, also during
 * startup. If the start fails, the process ends: a store or signer that was opened before would keep it.
 */
export async function serve(): Promise<void> {
  disableInspector()
  const stopped = Promise.race([stopSignal(), npmGone(startedPackage())])
  let service: Service
  try {
    const config = readConfig()
    checkPackage(config)
    service = await start(config, openLog(config.logLevel))
  } catch (error) {
    console.error(explainStartupError(error))
    process.exit(1)
  }
  void stopped
    // An operator at a terminal has no load balancer to wait for.
    .then((signal) => service.stop(signal === 'SIGINT' ? 0 : undefined))
    .then(
      () => process.exit(0),
      () => process.exit(1),
    )
}

/** Documents name PACKAGE as the command to install, so its version must be that of the service. */
function checkPackage({ app: { operator } }: Config): void {
  const { packageName } = operator
  if (packageName !== null && !packageName.endsWith(`@${VERSION}`))
    throw new ConfigError([
      `PACKAGE: must name version ${VERSION}, that of this service; publish it, or unset PACKAGE`,
    ])
}

/** Loads the modules of one mode only, which saves memory and time. */
async function start(config: Config, log: Log): Promise<Service> {
  endOnCrash(log)
  if (config.mode === 'live') return (await import('./live/start-live.ts')).startLive(config, log)
  return (await import('./sandbox/run-sandbox.ts')).runSandbox(config, log)
}

/** Node would print the error's message, which may hold a piece of what a client sent. */
function endOnCrash(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error({ event: 'crash', ...unexpectedError(error) }, 'defect')
    process.exit(1)
  })
}

/**
 * SIGUSR1 starts Node's debugger, through which any local user could read every key and value in memory. This also
 * works without the flag `--disable-sigusr1`.
 */
function disableInspector(): void {
  process.on('SIGUSR1', () => {})
}
