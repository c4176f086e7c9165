import { isPostgresUrl } from '../../values/is-postgres-url.ts'
import { StoreUnavailable } from '../store/store-unavailable.ts'

export function withSettings(url: string, settings: Readonly<Record<string, string | number>>): string {
  const parsed = new URL(url)
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${escaped(String(value))}`)
  parsed.searchParams.set('options', [parsed.searchParams.get('options') ?? '', ...ours].join(' ').trim())
  return parsed.toString()
}

export function withoutPassword(url: string): string {
  if (!isPostgresUrl(url)) return 'not a postgres:// address'
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

/** Throws {@link StoreUnavailable} for an address of anything else. */
export function requirePostgresUrl(url: string): void {
  if (!isPostgresUrl(url)) throw new StoreUnavailable('DATABASE_URL is not a postgres:// address')
}

/** The server splits `options` at blanks; a backslash escapes the next character. */
const escaped = (value: string) => value.replaceAll(/[\\ ]/g, '\\$&')
