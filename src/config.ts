import { cleanEnv, makeValidator, str } from 'envalid'

/**
 * Configuration: read from the environment here and nowhere else, once, at boot.
 *
 * Without any of the live settings the service runs in sandbox mode; with one of them it runs live, and then needs
 * them all. Every fault is one line that names its variable and never repeats its value.
 */

/** Thrown by {@link readConfig}; `faults` holds one line per fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

interface CommonConfig {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info'
  /** Unpaid and refused requests per minute and address; 0 is no limit. */
  readonly rateLimitUnpaid: number
  /** Own proxies in front of this process whose X-Forwarded-For entries are believed. */
  readonly trustProxy: number
  readonly facilitatorVerify: 'auto' | 'always'
  readonly settlementProof: 'facilitator' | 'chain'
  readonly secretKey: Buffer | null
  readonly secretKeyPrevious: Buffer | null
}

export interface SandboxConfig extends CommonConfig {
  readonly mode: 'sandbox'
  /** Null: everything is new at each start and gone afterwards. */
  readonly dataDir: string | null
  readonly chain: 'auto' | 'anvil' | 'memory'
}

export interface LiveConfig extends CommonConfig {
  readonly mode: 'live'
  readonly store: StoreConfig
  readonly baseUrl: string
  readonly payTo: `0x${string}`
  readonly facilitatorUrl: string
  readonly rpcUrl: string
}

/** Where payments and tasks are kept: a file for one process, or a database that several share. */
export type StoreConfig =
  | {
      readonly kind: 'sqlite'
      readonly dataDir: string
      /** Null: made at the first start and kept in `dataDir`. */
      readonly cardKey: string | null
      readonly receiptKey: string | null
    }
  /** Replicas have to publish the same keys, so none is made up by one of them. */
  | {
      readonly kind: 'postgres'
      readonly url: string
      readonly cardKey: string
      readonly receiptKey: string
    }

export type Config = SandboxConfig | LiveConfig

const LOOPBACK = '127.0.0.1'
const LIVE_SETTINGS = ['PAY_TO', 'BASE_URL', 'FACILITATOR_URL', 'RPC_URL', 'DATABASE_URL'] as const

const wholeNumber = makeValidator<number>((input) => {
  if (!/^[0-9]{1,9}$/.test(input)) throw new Error('has to be a whole number')
  return Number(input)
})
const portNumber = makeValidator<number>((input) => {
  if (!/^[0-9]{1,5}$/.test(input) || Number(input) > 65_535)
    throw new Error('has to be a port number, 0 to 65535')
  return Number(input)
})
const oneOf = <T extends string>(...choices: readonly T[]) =>
  makeValidator<T>((input) => {
    const choice = choices.find((each) => each === input)
    if (choice === undefined) throw new Error(`has to be one of ${choices.join(', ')}`)
    return choice
  })
const address = makeValidator<`0x${string}`>((input) => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(input))
    throw new Error('has to be an address: 0x and 40 hexadecimal digits')
  if (/^0x0{40}$/.test(input)) throw new Error('is the zero address: what is paid to it is lost')
  return input as `0x${string}`
})
const webUrl = makeValidator<string>((input) => {
  const url = parseUrl(input)
  if (url === null) throw new Error('has to be an absolute http or https URL')
  return input
})
const publicUrl = makeValidator<string>((input) => {
  const url = parseUrl(input)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.pathname !== '/') {
    throw new Error(
      'has to be an absolute URL without path, query or credentials, e.g. https://checks.example',
    )
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) throw new Error('has to be https')
  return url.origin
})
const postgresUrl = makeValidator<string>((input) => {
  if (!/^postgres(ql)?:\/\//.test(input) || !URL.canParse(input))
    throw new Error('has to be an address like postgres://user:password@host:5432/database')
  return input
})
const secret = makeValidator<Buffer>((input) => {
  const key = /^[0-9a-fA-F]+$/.test(input) ? Buffer.from(input, 'hex') : Buffer.from(input, 'base64')
  if (key.length < 32) throw new Error('has to be at least 32 random bytes, in hexadecimal or base64')
  return key
})

/** Every setting there is; `docs/configuration.md` is this table. */
export const SETTINGS = {
  NODE_ENV: oneOf(
    'production',
    'development',
    'test',
  )({
    default: undefined,
    desc: '`production` refuses the sandbox.',
  }),
  PORT: portNumber({ default: undefined, desc: 'Port to listen on; 4021 by default, 0 picks a free one.' }),
  HOST: str({
    default: undefined,
    desc: 'Address to listen on in live mode, all by default. The sandbox listens on loopback only.',
  }),
  PAY_TO: address({
    default: undefined,
    desc: 'Live: the address that is paid. One address belongs to one store.',
  }),
  BASE_URL: publicUrl({
    default: undefined,
    desc: 'Live: the public address of the service; every published URL is made from it.',
  }),
  FACILITATOR_URL: webUrl({
    default: undefined,
    desc: 'Live: base URL of the x402 facilitator that settles.',
  }),
  RPC_URL: webUrl({
    default: undefined,
    desc: 'Live: JSON-RPC of a Base node; read only, to learn what became of doubtful payments.',
  }),
  DATA_DIR: str({
    default: undefined,
    desc: 'Directory of the embedded store and generated keys. Live needs it or DATABASE_URL; the sandbox forgets everything without it.',
  }),
  DATABASE_URL: postgresUrl({
    default: undefined,
    desc: 'Live: PostgreSQL as the store of several replicas, in place of DATA_DIR; SECRET_KEY, CARD_KEY and RECEIPT_KEY are then required, since all replicas need the same ones.',
  }),
  SECRET_KEY: secret({
    default: undefined,
    desc: 'At least 32 random bytes (hexadecimal or base64) under which bindings and sealed verdicts are kept; generated into DATA_DIR by default.',
  }),
  SECRET_KEY_PREVIOUS: secret({
    default: undefined,
    desc: 'The key before SECRET_KEY, during a rotation: still verifies and opens, writes nothing.',
  }),
  CARD_KEY: str({
    default: undefined,
    desc: 'Private key (PEM or JWK, P-256) that signs the agent card; generated into DATA_DIR by default.',
  }),
  RECEIPT_KEY: str({
    default: undefined,
    desc: 'Private key (PEM or JWK, Ed25519) that signs offers and receipts; generated into DATA_DIR by default.',
  }),
  FACILITATOR_VERIFY: oneOf(
    'auto',
    'always',
  )({
    default: 'auto',
    desc: '`always` asks the facilitator to verify before each settlement; `auto` only where the signature cannot be checked here.',
  }),
  SETTLEMENT_PROOF: oneOf(
    'facilitator',
    'chain',
  )({
    default: 'facilitator',
    desc: "`chain` holds each verdict back until the transfer is seen on the chain; `facilitator` takes the facilitator's word.",
  }),
  RATE_LIMIT_UNPAID: wholeNumber({
    default: 120,
    desc: 'Unpaid or refused requests per minute and client address; 0 turns the limit off.',
  }),
  TRUST_PROXY: wholeNumber({
    default: 0,
    desc: 'How many proxies of your own stand in front; the client address is taken from X-Forwarded-For accordingly.',
  }),
  LOG_LEVEL: oneOf(
    'silent',
    'error',
    'warn',
    'info',
  )({
    default: 'info',
    desc: 'Least severe log line that is written.',
  }),
  SANDBOX_CHAIN: oneOf(
    'auto',
    'anvil',
    'memory',
  )({
    default: 'auto',
    desc: 'Sandbox: the local chain; `auto` takes anvil where it is installed, else an in-memory ledger.',
  }),
}

/** The settings as documents show them: name, default and what each does. */
export const SETTING_NOTES: readonly {
  readonly name: string
  readonly fallback?: string
  readonly note: string
}[] = Object.entries(SETTINGS).map(([name, spec]) => {
  const { desc, default: fallback } = spec as { desc?: string; default?: unknown }
  return { name, note: desc ?? '', ...(fallback === undefined ? {} : { fallback: String(fallback) }) }
})

/** Reads and judges the environment; throws {@link ConfigError} with every fault there is. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const faults: string[] = []
  const env = cleanEnv(given, SETTINGS, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) faults.push(`${name}: ${faultText(error)}`)
    },
  })
  if (faults.length > 0) throw new ConfigError(faults)
  const common = {
    port: env.PORT ?? 4021,
    logLevel: env.LOG_LEVEL,
    rateLimitUnpaid: env.RATE_LIMIT_UNPAID,
    trustProxy: env.TRUST_PROXY,
    facilitatorVerify: env.FACILITATOR_VERIFY,
    settlementProof: env.SETTLEMENT_PROOF,
    secretKey: env.SECRET_KEY ?? null,
    secretKeyPrevious: env.SECRET_KEY_PREVIOUS ?? null,
  }
  return isLive(given) ? readLive(env, common) : readSandbox(env, common)
}

const isLive = (given: Readonly<Record<string, string | undefined>>) =>
  LIVE_SETTINGS.some((name) => given[name] !== undefined)

type Cleaned = ReturnType<typeof cleanEnv<typeof SETTINGS>>

function readSandbox(env: Cleaned, common: Omit<CommonConfig, 'host'>): SandboxConfig {
  const faults: string[] = []
  if (env.NODE_ENV === 'production') {
    faults.push(
      'NODE_ENV: production refuses the sandbox; set PAY_TO, BASE_URL, FACILITATOR_URL, RPC_URL and DATA_DIR or DATABASE_URL',
    )
  }
  if (env.HOST !== undefined && !isLoopback(env.HOST)) {
    faults.push('HOST: the sandbox listens on loopback only, since it gives its buyer’s key away')
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return {
    ...common,
    mode: 'sandbox',
    host: LOOPBACK,
    dataDir: env.DATA_DIR ?? null,
    chain: env.SANDBOX_CHAIN,
  }
}

function readLive(env: Cleaned, common: Omit<CommonConfig, 'host'>): LiveConfig {
  const { PAY_TO, BASE_URL, FACILITATOR_URL, RPC_URL } = env
  const needed = { PAY_TO, BASE_URL, FACILITATOR_URL, RPC_URL }
  const store = readStore(env)
  const faults = [...missing(needed), ...(Array.isArray(store) ? store : [])]
  if (!PAY_TO || !BASE_URL || !FACILITATOR_URL || !RPC_URL || Array.isArray(store))
    throw new ConfigError(faults)
  return {
    ...common,
    mode: 'live',
    host: env.HOST ?? '0.0.0.0',
    store,
    baseUrl: BASE_URL,
    payTo: PAY_TO,
    facilitatorUrl: FACILITATOR_URL,
    rpcUrl: RPC_URL,
  }
}

/** The store of live mode, or what is wrong with its settings. */
function readStore(env: Cleaned): StoreConfig | string[] {
  const { DATA_DIR, DATABASE_URL, SECRET_KEY, CARD_KEY, RECEIPT_KEY } = env
  if (DATABASE_URL === undefined) {
    if (DATA_DIR === undefined) return missing({ DATA_DIR })
    const keys = { cardKey: CARD_KEY ?? null, receiptKey: RECEIPT_KEY ?? null }
    return { kind: 'sqlite', dataDir: DATA_DIR, ...keys }
  }
  if (DATA_DIR !== undefined)
    return ['DATA_DIR: contradicts DATABASE_URL; there is one store, so set one of them']
  if (!SECRET_KEY || !CARD_KEY || !RECEIPT_KEY) {
    return missing({ SECRET_KEY, CARD_KEY, RECEIPT_KEY }, 'DATABASE_URL needs it, the same on every replica')
  }
  return { kind: 'postgres', url: DATABASE_URL, cardKey: CARD_KEY, receiptKey: RECEIPT_KEY }
}

const missing = (
  settings: Readonly<Record<string, unknown>>,
  why = 'live mode needs it and has no default for it',
): string[] =>
  Object.entries(settings)
    .filter(([, value]) => value === undefined)
    .map(([name]) => `${name}: missing; ${why}`)

function parseUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null
}

export const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '::1', '[::1]'].includes(host)

/** Envalid quotes the value in some of its messages; what is set may be a secret. */
function faultText(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message.startsWith('has to be') || message.startsWith('is the ')
    ? message
    : 'has a value that is not allowed'
}

/** The key a command-line buyer pays with, where the environment has one. */
export const readBuyerKey = (): string | undefined => process.env.BUYER_PRIVATE_KEY
