import { type BaseValidator, type cleanEnv, str } from 'envalid'
import { PRICE_UNITS } from '../catalog/price.ts'
import { facilitatorToken } from './facilitator-token.ts'
import { INSECURE } from './insecure.ts'
import {
  address,
  addresses,
  adminAddress,
  facilitatorUrl,
  listOf,
  longToken,
  mailAddress,
  networkNames,
  oneOf,
  packageName,
  portNumber,
  postgresUrl,
  privateKey,
  publicUrl,
  secrets,
  shortText,
  usdAmount,
  webUrl,
  webUrls,
  wholeNumber,
} from './validators.ts'

const optional =
  <T>(validator: BaseValidator<T>) =>
  (desc: string) =>
    validator<T>({ default: undefined, desc })

const MUST = {
  NODE_ENV: optional(oneOf('production', 'development', 'test'))('`production` refuses the sandbox.'),
  NETWORK: optional(networkNames)(
    'Live: the network of payments: `base` (the default), or `base-sepolia` to rehearse with test money. Name a second one after a comma if the store has payments on it; they stay as they are until it is first again. Real money beside test money is refused, and so are payment channels.',
  ),
  PAY_TO: optional(address)('Live: the address that is paid. Use it for one store only.'),
  BASE_URL: optional(publicUrl)('Live: the public address of the service, which begins every published URL.'),
  FACILITATOR_URL: optional(facilitatorUrl)(
    'Live: base URL of the x402 facilitator that settles; with `self` this process settles, over RPC_URL and with SETTLEMENT_KEY.',
  ),
  RPC_URL: optional(webUrls)(
    'Live: JSON-RPC of a node of NETWORK, or of several, comma-separated in order of preference. The service only reads from it, unless FACILITATOR_URL=self.',
  ),
  DATA_DIR: optional(str)(
    'Directory of the embedded store and generated keys. Live needs it or DATABASE_URL; a sandbox without it stores nothing.',
  ),
  SECRET_KEY: optional(secrets)(
    'At least 32 random bytes (hexadecimal or base64) that protect bindings and sealed verdicts; generated into DATA_DIR by default. During a rotation `new,old`.',
  ),
  CARD_KEY: optional(str)(
    'Private key (PEM or JWK, P-256) that signs the agent card; generated into DATA_DIR by default.',
  ),
  RECEIPT_KEY: optional(str)(
    'Private key (PEM or JWK, Ed25519) that signs offers and receipts; generated into DATA_DIR by default.',
  ),
  FORMER_KEYS: optional(str)(
    'Former values of CARD_KEY or RECEIPT_KEY, or their public parts, one after another (PEM or JWK). They stay published, so that what they signed can be verified.',
  ),
  ADMIN_PORT: optional(adminAddress)(
    "Where the operator's view and `/metrics` listen: a port of 127.0.0.1, 0 for a free one, or `host:port` (`[::]:9464`), which needs ADMIN_TOKEN unless it is loopback.",
  ),
  ADMIN_TOKEN: optional(longToken)(
    'Bearer token of the admin port: at least 16 random characters (`openssl rand -hex 32`); a browser gives it as the password of any user.',
  ),
}

const SETTLING = {
  FACILITATOR_TOKEN: optional(facilitatorToken)(
    'What FACILITATOR_URL requires: a bearer token, or the JSON of a Coinbase Developer Platform key, with `id` and `privateKey`.',
  ),
  FACILITATOR_FEE_USD: optional(usdAmount)(
    "What FACILITATOR_URL charges for one settlement, in USD; the operator's view subtracts it from the income.",
  ),
  SETTLEMENT_KEY: optional(privateKey)(
    'Private key of the account that pays the gas with FACILITATOR_URL=self; never the one of PAY_TO.',
  ),
  SETTLEMENT_MAX_COST_USD: usdAmount({
    default: 3n * PRICE_UNITS,
    desc: 'With FACILITATOR_URL=self: the most one settlement may cost in gas and data fee, in USD; by default three times the price of a call. New sales pause while it costs more.',
  }),
  SETTLEMENT_DAILY_LOSS_USD: usdAmount({
    default: 5_000_000n,
    desc: 'With FACILITATOR_URL=self: the most that settling may lose in a UTC day over all replicas, in USD. A quarter is reserved for claims, refunds and nonce cancellations; new payers of channels get at most three eighths on credit.',
  }),
  SETTLEMENT_ETH_USD: wholeNumber({
    default: 5_000,
    desc: 'With FACILITATOR_URL=self: the price of an ether for all costs, in USD.',
  }),
  SETTLEMENT_CONTRACT_WALLETS: oneOf(
    'refuse',
    'accept',
  )({
    default: 'refuse',
    desc: 'With FACILITATOR_URL=self: `accept` serves payers whose address is a contract, whose code then runs at the cost of SETTLEMENT_KEY.',
  }),
  SETTLEMENT_PROOF: oneOf(
    'facilitator',
    'chain',
  )({
    default: 'facilitator',
    desc: '`chain` holds each verdict until the transfer is on the chain; `facilitator` trusts the facilitator.',
  }),
  SIGNER_SOCKET: optional(str)(
    'Live: Unix socket of `format-checker signer`, which holds SETTLEMENT_KEY, RECEIVER_AUTHORIZER_KEY, CARD_KEY and RECEIPT_KEY instead of the service. New sales pause while it does not answer.',
  ),
  SIGNER_DAILY_USD: usdAmount({
    default: 50_000_000n,
    desc: 'Of the signer: the most that its transactions of a UTC day may cost in gas and data fee, in USD.',
  }),
  SIGNER_DAILY_REFUNDS_USD: usdAmount({
    default: 100_000_000n,
    desc: 'Of the signer: the most that it refunds from channels in a UTC day, in USD.',
  }),
  CHANNELS: optional(oneOf('on', 'off'))(
    'Payment channels (x402 scheme `batch-settlement`) beside single payments. `off` by default in live mode, where `on` needs RECEIVER_AUTHORIZER_KEY and a facilitator of that scheme (or `self`); `on` by default in the sandbox.',
  ),
  RECEIVER_AUTHORIZER_KEY: optional(privateKey)(
    'Private key that signs claims and refunds of payment channels; never the one of PAY_TO. It must not change while channels are open.',
  ),
  OWN_PAYERS: optional(addresses)(
    "Your own buyers' addresses, comma-separated: the operator's view shows their sales apart and not as revenue.",
  ),
}

const BIG = {
  DATABASE_URL: optional(postgresUrl)(
    'Live: PostgreSQL as the store of several replicas, instead of DATA_DIR; requires SECRET_KEY, CARD_KEY and RECEIPT_KEY.',
  ),
  HOST: optional(str)(
    'Address to listen on in live mode, all by default. The sandbox listens on loopback only.',
  ),
  PORT: optional(portNumber)('Port to listen on; 4021 by default, 0 picks a free one.'),
  TRUST_PROXY: wholeNumber({
    default: 0,
    desc: 'The number of your proxies in front; as many last entries of X-Forwarded-For are trusted.',
  }),
  RATE_LIMIT_UNPAID: wholeNumber({
    default: 120,
    desc: 'Unpaid or refused requests per minute and client address; each replica counts for itself. 0 turns the limit off.',
  }),
  MAX_CONNECTIONS: wholeNumber({
    default: 10_000,
    desc: 'Connections open at once. One more closes the longest idle one; if none is idle, it gets 503. One client address may have a twentieth of them, at least 16; with TRUST_PROXY any number. 0 is no limit.',
  }),
  SHUTDOWN_DELAY: wholeNumber({
    default: 5,
    desc: 'Live: seconds to keep serving after SIGTERM while /readyz answers 503, so that load balancers stop sending first.',
  }),
  ALLOW_INSECURE: optional(listOf(...INSECURE))(
    `Live: risks that you accept, comma-separated: ${INSECURE.join(', ')}. Without it plain HTTP to a facilitator or node on another machine, PostgreSQL without TLS on another machine, and a burn address as PAY_TO stop the start.`,
  ),
  LOG_LEVEL: oneOf(
    'silent',
    'error',
    'warn',
    'info',
  )({
    default: 'info',
    desc: 'Least severe log line that is written: `info`, `warn`, `error`, or `silent` for none.',
  }),
}

const SHOWN = {
  OPERATOR_NAME: optional(shortText)(
    'Who sells here, a person or a company, in at most 100 characters; shown on every page and in the OpenAPI description.',
  ),
  CONTACT_EMAIL: optional(mailAddress)(
    'Where the operator reads mail; published in the OpenAPI description and in security.txt.',
  ),
  SUPPORT_URL: optional(webUrl)('Page where buyers get help; linked from every page of the site.'),
  TERMS_URL: optional(webUrl)(
    'Your terms of service; linked from every page of the site and from the OpenAPI description.',
  ),
  PACKAGE: optional(packageName)(
    'The command as you published it, such as @owner/format-checker@1.2.0 (docs/evidence/release.md). Documents name it instead of the tarball that the service serves.',
  ),
  OPERATOR_DIR: optional(str)(
    'Folder of files that you publish: at startup those of `well-known/` under `/.well-known/`, such as the verification files of registries.',
  ),
}

/** The settings by when they are needed; `docs/configuration.md` is these tables. */
export const SETTING_GROUPS = {
  'Must: to take payments': MUST,
  'When you settle: facilitators, own settlements, channels': SETTLING,
  'When it is big: replicas, proxies, many connections': BIG,
  'What your pages say': SHOWN,
}

export const SETTINGS = { ...MUST, ...SETTLING, ...BIG, ...SHOWN }

/** Every setting as it was read, before settings are held against each other. */
export type CleanSettings = ReturnType<typeof cleanEnv<typeof SETTINGS>>
