import { SecretKeyMismatch } from '../app/keys/secret-key.ts'
import { ConfigError } from '../config.ts'
import { StoreUnavailable } from '../ledger/ledger.ts'
import { DataDirInUse } from '../ledger/sqlite/lock-file.ts'
import { StartupError } from '../skills/startup-error.ts'

/** Faults of the setting-up: their message is made for the operator, one line per fault. */
const TOLD = [ConfigError, DataDirInUse, StartupError, SecretKeyMismatch, StoreUnavailable]

/** Reasons of the system not to let a process listen. */
const NOT_LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT: another program listens on this port; set PORT, or PORT=0 for a free one',
  EACCES: 'PORT: this user may not listen on this port; ports under 1024 need a privilege',
  EADDRNOTAVAIL: 'HOST: this machine has no such address',
  ENOTFOUND: 'HOST: there is no such name',
}

/** What to print of a failed start: lines for the operator, or a defect, which shows where it came from. */
export function explainStartupError(error: unknown): string {
  if (TOLD.some((kind) => error instanceof kind)) return (error as Error).message
  const { syscall, code = '', stack } = error as NodeJS.ErrnoException
  const listening = syscall === 'listen' || syscall === 'getaddrinfo'
  return (listening ? NOT_LISTENING[code] : undefined) ?? stack ?? String(error)
}
