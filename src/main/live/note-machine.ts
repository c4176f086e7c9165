import { readFileSync } from 'node:fs'
import type { ConnectionLimits } from '../../http/limits/connection-limits.ts'
import type { Log } from '../../log.ts'
import { nativeRecovery, type RecoverSigner } from '../../payments/authorization/recover-signer.ts'

type ConnectionLimit = Pick<ConnectionLimits, 'mostConnections'>

/** Descriptors besides the connections of clients: refused ones, files, and those to node, facilitator and database. */
const RESERVE = 256

/** Beyond the limit of open files the process accepts no connection, and calls to node and facilitator fail. */
export function noteOpenFiles(limits: ConnectionLimit, log: Log, read?: () => string): void {
  const limit = limitBelow(limits, read)
  if (limit !== null)
    log.warn({ event: 'open_files_limited', setting: 'MAX_CONNECTIONS', count: limit }, 'startup')
}

/** Logs one line if a crash could leave a core file, which holds values of buyers. */
export function noteCoreFiles(log: Log, read?: () => string): void {
  if (mayLeaveCore(read)) log.warn({ event: 'core_files_allowed' }, 'startup')
}

/** False where the system does not say. */
export const mayLeaveCore = (read?: () => string): boolean => {
  const [soft = '0'] = limitsOf('core file size', read)
  return soft !== '0'
}

/** Null if the limit suffices or is not known. */
export function limitBelow({ mostConnections }: ConnectionLimit, read?: () => string): number | null {
  // The hard one, to which Node raises the soft one at its start.
  const limit = Number(limitsOf('open files', read)[1])
  return mostConnections + RESERVE > limit ? limit : null
}

/** The soft and the hard limit, each a number or "unlimited"; none where the system is not Linux. */
function limitsOf(name: string, read = () => readFileSync('/proc/self/limits', 'utf8')): readonly string[] {
  try {
    return new RegExp(`^Max ${name} +(\\S+) +(\\S+)`, 'm').exec(read())?.slice(1) ?? []
  } catch {
    return []
  }
}

/** Logs one line on a platform without a binary for signature recovery, where each payment takes more processor time. */
export function noteSignatureRecovery(
  log: Log,
  load: () => RecoverSigner | undefined = nativeRecovery,
): void {
  if (load() === undefined) log.warn({ event: 'signatures_recovered_in_javascript' }, 'startup')
}
