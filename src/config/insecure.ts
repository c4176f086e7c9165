import { isLoopback } from '../values/loopback.ts'

/** Risks that stop the start unless ALLOW_INSECURE names them. */
export const INSECURE = ['facilitator', 'node', 'database', 'pay_to'] as const
export type Insecure = (typeof INSECURE)[number]

export interface ExposedSettings {
  readonly FACILITATOR_URL: string | undefined
  readonly RPC_URLS: readonly string[]
  readonly DATABASE_URL: string | undefined
  readonly PAY_TO: string | undefined
}

export function findInsecure(settings: ExposedSettings, allowed: readonly Insecure[]): string[] {
  const faults: string[] = []
  const refuse = (what: Insecure, line: string) => {
    if (!allowed.includes(what)) faults.push(`${line}; ALLOW_INSECURE=${what} takes it all the same`)
  }
  if (isPlainHttp(settings.FACILITATOR_URL))
    refuse('facilitator', 'FACILITATOR_URL: must be https on another machine')
  if (settings.RPC_URLS.some(isPlainHttp)) refuse('node', 'RPC_URL: must be https on another machine')
  if (settings.DATABASE_URL !== undefined && isPlainDatabase(settings.DATABASE_URL)) {
    refuse('database', 'DATABASE_URL: must use TLS on another machine (sslmode=verify-full)')
  }
  if (settings.PAY_TO !== undefined && isUnspendable(settings.PAY_TO)) {
    refuse('pay_to', 'PAY_TO: is a precompile or a burn address; what is paid to it is lost')
  }
  return faults
}

const isPlainHttp = (url: string | undefined): boolean => {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed?.protocol === 'http:' && !isLoopback(parsed.hostname)
}

/** Modes of `sslmode` that never fall back to plain text. */
const TLS_MODES = ['require', 'verify-ca', 'verify-full', 'no-verify']

function isPlainDatabase(url: string): boolean {
  const { hostname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? hostname
  if (host === '' || /^(\/|%2f)/i.test(host) || isLoopback(host)) return false
  return !TLS_MODES.includes(searchParams.get('sslmode') ?? '') && searchParams.get('ssl') !== 'true'
}

/** Precompiles are the first 0x10000 addresses (EIP-1352); the others are written by hand to burn tokens. */
const isUnspendable = (address: string): boolean =>
  /^0x0{36}/.test(address) || /^0x(?:dead0{8}.*|(?:dead)+|(.)\1{39}|(?:deadbeef)+)$/i.test(address)
