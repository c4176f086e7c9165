/** What a live start says of the machine it runs on. */
import { readFileSync } from 'node:fs'
import type { Log } from '../../log.ts'
import { nativeRecovery, type RecoverSigner } from '../../payments/authorization/recover-signer.ts'

/** Descriptors beside the connections of clients: refused ones, files, and those to the node, facilitator and database. */
const RESERVE = 256

/**
 * Logs one line where the process may open fewer files than MAX_CONNECTIONS needs: beyond that the system accepts no
 * connection, and calls to the node or the facilitator fail. Only Linux says what the limit is; at its start Node raises
 * the soft one to the hard one.
 */
export function noteOpenFiles(maxConnections: number, log: Log, read?: () => string): void {
  const limit = limitBelow(maxConnections, read)
  if (limit !== null)
    log.warn({ event: 'open_files_limited', setting: 'MAX_CONNECTIONS', count: limit }, 'startup')
}

/** The limit of open files if MAX_CONNECTIONS needs more; null if it suffices or is not known. */
export function limitBelow(
  maxConnections: number,
  read: () => string = () => readFileSync('/proc/self/limits', 'utf8'),
): number | null {
  const limit = hardLimit(read)
  return limit !== null && maxConnections + RESERVE > limit ? limit : null
}

/** Null without a limit, and where the system does not say what it is. */
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
