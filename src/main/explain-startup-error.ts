import { SecretKeyMismatch } from '../app/keys/secret-key.ts'
import { StartupError } from '../catalog/startup-error.ts'
import { ConfigError } from '../config.ts'
import { DataDirInUse } from '../files/lock-file.ts'
import { StoreUnavailable, withReason } from '../ledger/store/store-unavailable.ts'

const EXPLAINED = [ConfigError, DataDirInUse, StartupError, SecretKeyMismatch]

const NOT_LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT: another program listens on this port; set PORT, or PORT=0 for a free one',
  EACCES: 'PORT: this user must not listen on this port; ports below 1024 need a privilege',
  EADDRNOTAVAIL: 'HOST: this machine has no such address',
  ENOTFOUND: 'HOST: there is no such name',
}

/** A native binary is missing, or is one for another machine. */
const NOT_LOADING = ['MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']

export function explainStartupError(error: unknown): string {
  if (error instanceof StoreUnavailable) return withReason(error)
  if (EXPLAINED.some((kind) => error instanceof kind)) return (error as Error).message
  const { syscall, code = '', stack, message } = error as NodeJS.ErrnoException
  if (NOT_LOADING.includes(code) && /better[-_]sqlite3/.test(message))
    return `better-sqlite3: no native part of it loads on ${process.platform}-${process.arch} (${code}); use x64 or arm64, and run npm ci on this machine`
  const listening = syscall === 'listen' || syscall === 'getaddrinfo'
  return (listening ? NOT_LISTENING[code] : undefined) ?? stack ?? String(error)
}
