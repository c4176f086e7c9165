import { type BaseValidator, type cleanEnv, str } from 'envalid'
import { INSECURE } from './insecure.ts'
import {
  address,
  addresses,
  cdpKey,
  facilitatorUrl,
  listOf,
  longToken,
  mailAddress,
  networkName,
  oneOf,
  packageName,
  portNumber,
  postgresUrl,
  privateKey,
  publicUrl,
  secret,
  token,
  usdAmount,
  webUrl,
  webUrls,
  wholeNumber,
} from './validators.ts'

/** A setting that may be absent. */
const optional =
  <T>(validator: BaseValidator<T>) =>
  (desc: string) =>
    validator<T>({ default: undefined, desc })

/** Every setting there is; `docs/configuration.md` is this table. */
export const SETTINGS = {
  NODE_ENV: optional(oneOf('production', 'development', 'test'))('`production` refuses the sandbox.'),
  PORT: optional(portNumber)('Port to listen on; 4021 by default, 0 picks a free one.'),
  HOST: optional(str)(
    'Address to listen on in live mode, all by default. The sandbox listens on loopback only.',
  ),
  NETWORK: optional(networkName)(
    'Live: the network that payments are taken on: `base` (the default), or `base-sepolia` for a rehearsal with test money.',
  ),
  PAY_TO: optional(address)('Live: the address that is paid. One address belongs to one store.'),
  BASE_URL: optional(publicUrl)(
    'Live: the public address of the service; every published URL is made from it.',
  ),
  FACILITATOR_URL: optional(facilitatorUrl)(
    'Live: base URL of the x402 facilitator that settles; `self` settles in this process, over RPC_URL and with SETTLEMENT_KEY.',
  ),
  FACILITATOR_TOKEN: optional(token)('Bearer token for FACILITATOR_URL, where its operator wants one.'),
  CDP_API_KEY_ID: optional(token)(
    'ID of a Coinbase Developer Platform API key for FACILITATOR_URL, with CDP_API_KEY_SECRET.',
  ),
  CDP_API_KEY_SECRET: optional(cdpKey)(
    'Its secret: EC P-256 in PEM (line ends may be written as \\n) or Ed25519 in base64.',
  ),
  FACILITATOR_FEE_USD: optional(usdAmount)(
    "What FACILITATOR_URL asks for one settlement, in USD; the operator's view sets it against the income.",
  ),
  SETTLEMENT_KEY: optional(privateKey)(
    'Private key of the account that pays the gas with FACILITATOR_URL=self; never the one of PAY_TO.',
  ),
  SETTLEMENT_MAX_COST_USD: optional(usdAmount)(
    'With FACILITATOR_URL=self: the most one settlement may cost in gas and data fee, in USD; three times the price of a call by default. New sales pause while it costs more; sold_below_cost in the status says when it costs more than the price.',
  ),
  SETTLEMENT_DAILY_LOSS_USD: optional(usdAmount)(
    'With FACILITATOR_URL=self: what settling may lose in a UTC day over all replicas, in USD; 5 by default. Beyond it new payers are refused with sales_paused until midnight, and sales to others are settled alone, if what their payer has brought in covers them. Half of it is the most that new payers of channels get on credit.',
  ),
  SETTLEMENT_ETH_USD: wholeNumber({
    default: 5_000,
    desc: 'With FACILITATOR_URL=self: what one ether is taken to be worth, in USD, wherever cost is counted.',
  }),
  SETTLEMENT_CONTRACT_WALLETS: oneOf(
    'refuse',
    'accept',
  )({
    default: 'refuse',
    desc: 'With FACILITATOR_URL=self: `accept` serves payers whose address is a contract, whose code then runs at the cost of SETTLEMENT_KEY.',
  }),
  SETTLEMENT_BATCH_MOST: wholeNumber({
    default: 64,
    desc: 'With FACILITATOR_URL=self: the most payments settled by one transaction, 1 to 128; with 1 each has its own.',
  }),
  SETTLEMENT_BATCH_MS: wholeNumber({
    default: 25,
    desc: 'With FACILITATOR_URL=self: how long payments gather at most while the node takes a transaction, in milliseconds.',
  }),
  RPC_URL: optional(webUrls)(
    'Live: JSON-RPC of a node of NETWORK, or of several, comma-separated in order of preference; read only (unless FACILITATOR_URL=self), to learn what became of doubtful payments.',
  ),
  DATA_DIR: optional(str)(
    'Directory of the embedded store and generated keys. Live needs it or DATABASE_URL; the sandbox forgets everything without it.',
  ),
  DATABASE_URL: optional(postgresUrl)(
    'Live: PostgreSQL as the store of several replicas, in place of DATA_DIR; SECRET_KEY, CARD_KEY and RECEIPT_KEY are then required, since all replicas need the same ones.',
  ),
  SECRET_KEY: optional(secret)(
    'At least 32 random bytes (hexadecimal or base64) under which bindings and sealed verdicts are kept; generated into DATA_DIR by default.',
  ),
  SECRET_KEY_PREVIOUS: optional(secret)(
    'The key before SECRET_KEY, during a rotation: still verifies and opens, writes nothing.',
  ),
  CARD_KEY: optional(str)(
    'Private key (PEM or JWK, P-256) that signs the agent card; generated into DATA_DIR by default.',
  ),
  RECEIPT_KEY: optional(str)(
    'Private key (PEM or JWK, Ed25519) that signs offers and receipts; generated into DATA_DIR by default.',
  ),
  CARD_KEY_PREVIOUS: optional(str)(
    'The key before CARD_KEY, or its public part: still published, so that cards it signed can be verified.',
  ),
  SIGNER_SOCKET: optional(str)(
    'Live: Unix socket of `format-checker signer`, which holds SETTLEMENT_KEY, RECEIVER_AUTHORIZER_KEY, CARD_KEY and RECEIPT_KEY; the service then starts with none of them. New sales pause while it is away.',
  ),
  SIGNER_DAILY_USD: optional(usdAmount)(
    'Of the signer: what the transactions that it signs in a UTC day may cost in gas and data fee, in USD; 50 by default. It also reads SETTLEMENT_ETH_USD, and SETTLEMENT_MAX_COST_USD, twenty times of which is the most that it pays for gas.',
  ),
  SIGNER_DAILY_REFUNDS_USD: optional(usdAmount)(
    'Of the signer: the refunds of channels that it signs in a UTC day, in USD; 100 by default.',
  ),
  CHANNELS: optional(oneOf('on', 'off'))(
    'Payment channels (x402 scheme `batch-settlement`) beside single payments. `off` by default in live mode, where `on` needs RECEIVER_AUTHORIZER_KEY and a facilitator of that scheme (or `self`); `on` by default in the sandbox.',
  ),
  RECEIVER_AUTHORIZER_KEY: optional(privateKey)(
    'Private key that signs claims and refunds of payment channels; it holds no money and is never the one of PAY_TO. A channel names its address, so it must not change while channels are open.',
  ),
  RECEIPT_KEY_PREVIOUS: optional(str)(
    'The key before RECEIPT_KEY, or its public part: still published, so that receipts it signed can be verified.',
  ),
  SETTLEMENT_PROOF: oneOf(
    'facilitator',
    'chain',
  )({
    default: 'facilitator',
    desc: "`chain` holds each verdict back until the transfer is seen on the chain; `facilitator` takes the facilitator's word.",
  }),
  RATE_LIMIT_UNPAID: wholeNumber({
    default: 120,
    desc: 'Unpaid or refused requests per minute and client address; each replica counts for itself. 0 turns the limit off.',
  }),
  TRUST_PROXY: wholeNumber({
    default: 0,
    desc: 'How many proxies of your own stand in front; the client address is taken from X-Forwarded-For accordingly.',
  }),
  MAX_CONNECTIONS: wholeNumber({
    default: 10_000,
    desc: 'Connections open at once. For one more the longest idle one is closed; if none is idle, the new one is answered 503 and closed. 0 is no limit.',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber({
    default: 512,
    desc: 'Connections of one client address at once; more are answered 503 and closed. 0 turns it off. With TRUST_PROXY it is off, since all connections are the proxy’s.',
  }),
  ADMIN_PORT: optional(portNumber)(
    "Port of the operator's view and `/metrics`; without it live mode has no admin port and the sandbox picks a free one. 0 picks a free one.",
  ),
  ADMIN_HOST: optional(str)(
    'Address ADMIN_PORT listens on; 127.0.0.1 by default. Any other than loopback needs ADMIN_TOKEN.',
  ),
  ADMIN_TOKEN: optional(longToken)(
    'Bearer token of the admin port: at least 16 random characters (`openssl rand -hex 32`), no words of examples; a browser gives it as the password of any user.',
  ),
  CONTACT_EMAIL: optional(mailAddress)(
    'Where the operator reads mail; published in the OpenAPI description and in security.txt.',
  ),
  WELL_KNOWN_DIR: optional(str)(
    'Folder whose files are published under `/.well-known/`, such as the verification files of registries. Read at startup.',
  ),
  INCIDENTS_FILE: optional(str)(
    'Text file of the operator with one incident a line, shown on the status page; read once a minute.',
  ),
  SUPPORT_URL: optional(webUrl)('Page where buyers get help; linked from every page of the site.'),
  TERMS_URL: optional(webUrl)(
    'Your terms of service; linked from every page of the site and from the OpenAPI description.',
  ),
  PACKAGE: optional(packageName)(
    'The command as you published it, such as @owner/format-checker@1.2.0 (docs/evidence/release.md); documents then name it in place of the tarball that the service itself serves.',
  ),
  OWN_PAYERS: optional(addresses)(
    "Your own buyers' addresses, comma-separated: the operator's view shows their sales apart and not as revenue.",
  ),
  ALLOW_STORE_OF: optional(networkName)(
    'Live: another network, whose payments the store may hold beside those of NETWORK. They stay as they are until NETWORK names it again. Refused for real money beside test money, and with payment channels.',
  ),
  ALLOW_INSECURE: optional(listOf(...INSECURE))(
    `Live: risks to take knowingly, comma-separated: ${INSECURE.join(', ')}. Plain HTTP to a facilitator or node on another machine, PostgreSQL without TLS on another machine, and a burn address as PAY_TO stop the start otherwise.`,
  ),
  SHUTDOWN_DELAY: wholeNumber({
    default: 5,
    desc: 'Live: seconds to go on serving after SIGTERM while /readyz already says no, so that load balancers stop sending first.',
  }),
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

/** Every setting as it was read, before settings are held against each other. */
export type CleanSettings = ReturnType<typeof cleanEnv<typeof SETTINGS>>
