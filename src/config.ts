import { cleanEnv } from 'envalid'
import { readAdmin } from './config/admin.ts'
import { type CommonConfig, readCommon } from './config/common.ts'
import { FACILITATOR_EXTRAS, readFacilitator } from './config/facilitator.ts'
import { findInsecure } from './config/insecure.ts'
import { findMisspelt } from './config/misspelt-settings.ts'
import { withSettingFiles } from './config/setting-files.ts'
import { type Environment, trimmed, unquoted } from './config/setting-text.ts'
import { type CleanSettings, SETTINGS } from './config/settings.ts'
import { readSignerBounds } from './config/signer-bounds.ts'
import { missing, readStore } from './config/store.ts'
import { DEFAULT_NETWORK } from './payments/networks/networks.ts'
import { isLoopback, LOOPBACK } from './values/loopback.ts'

/**
 * The only reader of the environment, once, at startup. With any of {@link LIVE_SETTINGS} the service runs live and
 * needs more of them; without, as a sandbox.
 */

/** Each fault is one line that names its variable and never repeats its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

export type SandboxConfig = ReturnType<typeof readSandbox>
export type LiveConfig = ReturnType<typeof readLive>
export type Config = SandboxConfig | LiveConfig

/** Settings of a buyer on the command line; named here so that they are not taken for misspelt ones. */
const BUYER_SETTINGS = ['BUYER_PRIVATE_KEY', 'BUYER_PRIVATE_KEY_FILE']
const LIVE_SETTINGS = ['NETWORK', 'PAY_TO', 'BASE_URL', 'FACILITATOR_URL', 'RPC_URL', 'DATABASE_URL'] as const

/** The package.json of the package whose `npm start` runs this process; undefined without npm. */
export const startedPackage = ({ npm_lifecycle_event, npm_package_json }: Environment = process.env) =>
  npm_lifecycle_event === 'start' ? npm_package_json : undefined

/** Where programs are looked for. */
export const searchPath = ({ PATH }: Environment = process.env) => PATH

/** Blank settings count as unset. Throws {@link ConfigError}. */
export function readConfig(environment: Environment = process.env): Config {
  const { env, given } = readSettings(environment)
  const common = readCommon(env)
  return isLive(given) ? readLive(env, common) : readSandbox(env, common)
}

/** For `format-checker signer`. Throws {@link ConfigError}. */
export function readSignerConfig(environment: Environment = process.env) {
  const { env } = readSettings(environment)
  const { SIGNER_SOCKET: socket, DATA_DIR: dataDir } = env
  if (socket === undefined || dataDir === undefined)
    throw new ConfigError(missing({ SIGNER_SOCKET: socket, DATA_DIR: dataDir }, 'the signer needs it'))
  return {
    socket,
    dataDir,
    network: env.NETWORK?.[0] ?? DEFAULT_NETWORK,
    settlementKey: env.SETTLEMENT_KEY ?? null,
    receiverAuthorizerKey: env.RECEIVER_AUTHORIZER_KEY ?? null,
    cardKeyText: env.CARD_KEY ?? null,
    receiptKeyText: env.RECEIPT_KEY ?? null,
    ...readSignerBounds(env),
    logLevel: env.LOG_LEVEL,
  }
}

function readSettings(environment: Environment): { env: CleanSettings; given: Environment } {
  const named = trimmed(environment)
  const names = Object.keys(SETTINGS)
  const faults = findMisspelt([...names, ...BUYER_SETTINGS], named)
  const given = unquoted(names, withSettingFiles(names, named, faults), faults)
  const env = cleanEnv(given, SETTINGS, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) faults.push(`${name}: ${faultText(error)}`)
    },
  })
  if (faults.length > 0) throw new ConfigError(faults)
  return { env, given }
}

const isLive = (given: Environment) => LIVE_SETTINGS.some((name) => given[name] !== undefined)

function readSandbox(env: CleanSettings, common: CommonConfig) {
  const faults: string[] = []
  if (env.NODE_ENV === 'production') {
    faults.push(
      'NODE_ENV: production refuses the sandbox; set PAY_TO, BASE_URL, FACILITATOR_URL, RPC_URL and DATA_DIR or DATABASE_URL',
    )
  }
  if (env.HOST !== undefined && !isLoopback(env.HOST))
    faults.push('HOST: the sandbox listens on loopback only, since it gives its buyer’s key away')
  for (const name of FACILITATOR_EXTRAS) {
    if (env[name] !== undefined) faults.push(`${name}: the sandbox has a facilitator of its own`)
  }
  if (env.RECEIVER_AUTHORIZER_KEY !== undefined)
    faults.push('RECEIVER_AUTHORIZER_KEY: the sandbox has a key of its own')
  const admin = readAdmin(env, 'sandbox', common.port, faults)
  if (faults.length > 0) throw new ConfigError(faults)
  return {
    ...common,
    /** A sandbox signs with keys of its own. */
    app: { ...common.app, keys: { ...common.app.keys, cardKeyText: null, receiptKeyText: null } },
    mode: 'sandbox' as const,
    /** Null turns the operator's view and the metrics off. */
    admin,
    host: LOOPBACK,
    /** Null: everything is new at each start and gone afterwards. */
    dataDir: env.DATA_DIR ?? null,
    channels: env.CHANNELS === 'off' ? null : readChannels(env),
  }
}

function readLive(env: CleanSettings, common: CommonConfig) {
  const { PAY_TO, BASE_URL, FACILITATOR_URL, RPC_URL } = env
  const needed = { PAY_TO, BASE_URL, FACILITATOR_URL, RPC_URL }
  const store = readStore(env)
  const faults = [...missing(needed), ...(Array.isArray(store) ? store : [])]
  const facilitator = FACILITATOR_URL && readFacilitator({ ...env, FACILITATOR_URL }, faults)
  faults.push(...keysBesideSigner(env))
  const [network, allowStoreOf = null] = env.NETWORK ?? [DEFAULT_NETWORK]
  if (allowStoreOf !== null && allowStoreOf.isRealMoney !== network.isRealMoney)
    faults.push('NETWORK: real money and test money never mix in one store')
  if (env.CHANNELS === 'on' && (env.RECEIVER_AUTHORIZER_KEY ?? env.SIGNER_SOCKET) === undefined)
    faults.push('RECEIVER_AUTHORIZER_KEY: CHANNELS=on needs the key that signs claims and refunds')
  const { DATABASE_URL } = env
  const RPC_URLS = RPC_URL ?? []
  const exposed = { PAY_TO, FACILITATOR_URL, RPC_URLS, DATABASE_URL }
  const named = new Set(faults.map(settingOf))
  const insecure = findInsecure(exposed, env.ALLOW_INSECURE ?? [])
  faults.push(...insecure.filter((line) => !named.has(settingOf(line))))
  const admin = readAdmin(env, 'live', common.port, faults)
  if (faults.length > 0 || !PAY_TO || !BASE_URL || !facilitator || !RPC_URL || Array.isArray(store))
    throw new ConfigError(faults)
  return {
    ...common,
    mode: 'live' as const,
    /** Null turns the operator's view and the metrics off. */
    admin,
    host: env.HOST ?? '0.0.0.0',
    chain: {
      network,
      /** Nodes in order of preference; at least one. */
      rpcUrls: RPC_URL,
    },
    /** A network whose payments the store may hold beside those of `chain`. */
    allowStoreOf,
    store,
    baseUrl: BASE_URL,
    payTo: PAY_TO,
    facilitator,
    channels: env.CHANNELS === 'on' ? readChannels(env) : null,
    /** Where another process holds the keys; null if they are in this one. */
    signerSocket: env.SIGNER_SOCKET ?? null,
    /** How long the service goes on serving after SIGTERM, while it reports that it is not ready. */
    shutdownDelayMs: env.SHUTDOWN_DELAY * 1_000,
  }
}

/** Payment channels beside single payments; null in their place if they are off. */
const readChannels = (env: CleanSettings) => ({
  /** Signs claims and refunds; null if the signer holds it, and in the sandbox, which has its own. */
  authorizerKey: env.RECEIVER_AUTHORIZER_KEY ?? null,
})

const SIGNER_KEYS = ['SETTLEMENT_KEY', 'RECEIVER_AUTHORIZER_KEY', 'CARD_KEY', 'RECEIPT_KEY'] as const

const keysBesideSigner = (env: CleanSettings): string[] =>
  env.SIGNER_SOCKET === undefined
    ? []
    : SIGNER_KEYS.filter((name) => env[name] !== undefined).map(
        (name) => `${name}: is set beside SIGNER_SOCKET; give it to the signer alone`,
      )

const settingOf = (line: string): string => line.slice(0, line.indexOf(':'))

/** Keeps the messages of our own validators; those of Envalid may quote the value, which may be a secret. */
function faultText(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message.startsWith('must be') || message.startsWith('is the ')
    ? message
    : 'has a value that is not allowed'
}
