import { readFileSync } from 'node:fs'
import type { Log } from '../../log.ts'
import { nativeRecovery, type RecoverSigner } from '../../payments/authorization/recover-signer.ts'

/** Descriptors besides the connections of clients: refused ones, files, and those to node, facilitator and database. */
const RESERVE = 256

/**
 * Logs one line if the process may open fewer files than MAX_CONNECTIONS needs: beyond the limit it accepts no connection,
 * and calls to node and facilitator fail.
 */
export function noteOpenFiles(maxConnections: number, log: Log, read?: () => string): void {
  const limit = limitBelow(maxConnections, read)
  if (limit !== null)
    log.warn({ event: 'open_files_limited', setting: 'MAX_CONNECTIONS', count: limit }, 'startup')
}

/** Null if the limit suffices or is not known. */
export function limitBelow(
  maxConnections: number,
  read: () => string = () => readFileSync('/proc/self/limits', 'utf8'),
): number | null {
  const limit = hardLimit(read)
  return limit !== null && maxConnections + RESERVE > limit ? limit : null
}

/** The hard limit, to which Node raises the soft one at its start; null if unlimited or not on Linux. */
function hardLimit(read: () => string): number | null {
  try {
    const [, hard] = /^Max open files +\S+ +(\d+)/m.exec(read()) ?? []
    return hard === undefined ? null : Number(hard)
  } catch {
    return null
  }
}

/** Logs one line on a platform without a binary for signature recovery, where each payment takes more processor time. */
export function noteSignatureRecovery(
  log: Log,
  load: () => RecoverSigner | undefined = nativeRecovery,
): void {
  if (load() === undefined) log.warn({ event: 'signatures_recovered_in_javascript' }, 'startup')
}
