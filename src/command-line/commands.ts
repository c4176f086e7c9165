import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { ENCODINGS } from '../lists/decode-text.ts'
import { INPUT_FORMATS } from '../lists/input-row.ts'
import { OUTPUT_FORMATS } from '../lists/write-rows.ts'
import { DEFAULT_NETWORK, NETWORKS } from '../payments/networks/networks.ts'
import { type CommandSpec, RESULT_OPTIONS } from './command-spec.ts'

export const SURFACES = ['rest', 'a2a', 'mcp'] as const

const TYPES = `TYPE is one of ${CHECK_TYPES.join(', ')}.`

const URL_OPTION = { value: 'URL', default: 'http://127.0.0.1:4021', help: 'the service' } as const

const NETWORK = {
  value: 'NAME',
  default: DEFAULT_NETWORK.name,
  help: `the only network that is signed for: ${NETWORKS.map(({ name }) => name).join(', ')}`,
} as const

const CHANNEL_FILE = {
  value: 'FILE',
  help: 'where the state of the channel is stored (~/.local/state/format-checker/channels)',
} as const

const RPC_URL = {
  value: 'URL',
  help: 'a node, asked only if that state is lost or out of step (a public one; for the buyer of a sandbox, its own)',
} as const

/** Every command: parsing, help and docs/cli.md are made from this table. */
export const COMMANDS = {
  serve: {
    summary: 'run the service; without settings, a sandbox',
    usage: ['serve'],
    description: [
      'Runs the service until SIGTERM or SIGINT. The environment configures it, and docs/configuration.md lists every ' +
        'variable. Without any it is a sandbox on this machine, with a local chain and test money, and pays for a first ' +
        'check itself.',
    ],
    options: {},
  },
  signer: {
    summary: 'hold the keys of a service in a process of its own',
    usage: ['signer'],
    description: [
      'Signs for a service over the Unix socket SIGNER_SOCKET until SIGTERM or SIGINT: receipts, cards, claims and ' +
        'refunds of channels, and transactions to its contracts, up to SIGNER_DAILY_USD a day. It reads NETWORK, the ' +
        'keys, and DATA_DIR, which must not be that of the service.',
    ],
    options: {},
  },
  try: {
    summary: 'run a check on this machine: no payment, no network',
    usage: ['try TYPE VALUE', 'try TYPE -', 'try --files TYPE FILE...'],
    description: [
      'Runs a check on this machine, without payment or network, and prints its result, as text on a terminal and as JSON ' +
        'in a pipe or with --json. With "-" each line of standard ' +
        'input is a JSON string, and each line of output its result, or {"code":"..."} if the line is not a value.',
      'With --files it prints file, row and code of each row that is not valid, never the value, and ends with exit code 1. ' +
        'Files are as for buy --file; rows count from 1 without the headings, and empty ones pass.',
      TYPES,
    ],
    positionals: true,
    options: {
      ...RESULT_OPTIONS,
      'exit-code': { help: 'exit with 1 if a value is not valid' },
      files: { help: 'check a column of each FILE' },
      column: { value: 'NAME', help: 'the column to check, by name or number', again: 'refused' },
    },
  },
  buy: {
    summary: 'pay for a check at a running service',
    usage: [
      'buy TYPE VALUE [options]',
      'buy TYPE --file FILE [options]',
      'buy TYPE - [options]',
      'buy --file FILE --column NAME --column NAME [options]',
    ],
    description: [
      'Pays for a check at a running service, as any x402 client would. The key is read from BUYER_PRIVATE_KEY, or ' +
        'from the file that BUYER_PRIVATE_KEY_FILE names; without either, the funded buyer of a sandbox pays.',
      TYPES,
    ],
    positionals: true,
    options: {
      url: URL_OPTION,
      network: NETWORK,
      surface: {
        value: 'NAME',
        choices: SURFACES,
        default: 'rest',
        help: 'the protocol: same check, same price',
      },
      'max-price': { value: 'USD', default: '0.001', help: 'the most to pay for one check' },
      'dry-run': { help: 'show the terms; nothing is signed' },
      file: { value: 'FILE', help: 'a list to check, up to 1,000 values per payment; "-" is standard input' },
      input: { value: 'FORMAT', choices: INPUT_FORMATS, help: 'the format of the list; detected if absent' },
      column: {
        value: 'NAME',
        help: 'the column to check, by name or number; without TYPE once for each column, NAME=TYPE if its name is not a type',
        again: 'kept',
      },
      sheet: { value: 'NAME', help: 'the sheet of a workbook, by name or number' },
      encoding: { value: 'NAME', choices: ENCODINGS, help: 'of a text whose encoding is not detected' },
      out: {
        short: 'o',
        value: 'FILE',
        help: 'where the rows go, each with valid, code, reason, hint and more (standard output)',
      },
      format: {
        value: 'FORMAT',
        choices: OUTPUT_FORMATS,
        help: 'their format; by the ending of FILE if absent',
      },
      bom: { help: 'begin a CSV of FILE with a byte order mark, for Excel' },
      batch: { value: 'N', help: 'values per payment (default 500)' },
      'max-spend': {
        value: 'USD',
        help: 'stop at this sum, with a smaller last payment; earlier runs on the list count, with --channel those on the channel',
      },
      channel: {
        help: 'pay for a VALUE over a payment channel: one deposit, then a signature for each check',
      },
      deposit: { value: 'USD', help: 'the deposit into the channel (default 0.25)' },
      'channel-file': CHANNEL_FILE,
      'rpc-url': RPC_URL,
      ...RESULT_OPTIONS,
    },
    notes: [
      'Payments are in USDC, on the network of --network only. If no answer comes, or the outcome is unknown, the command ' +
        'sends the same signed request again, up to six times; it cannot be charged twice. If the outcome is still ' +
        'unknown, the exit code is 3.',
      'A list may be a workbook (.xlsx, .ods), CSV, plain text with a value per line, or JSON Lines. ' +
        'Equal values are bought once. With --out, a journal beside the output lets the same command continue an ' +
        'interrupted run without paying twice. The journal (mode 0600) holds signed payments, hashes of the ' +
        'values and, packed, what was paid for; at the end it becomes FILE.statement.json and FILE.statement.html, the evidence ' +
        'for accounting.',
      'With --channel no one can take more than the sum of the prices signed for; "refund" asks for the rest back. The ' +
        'command stores a payment before it sends it. If its answer is lost, the same command asks for it again and is ' +
        'not charged twice; another command goes on with the same payment.',
    ],
  },
  refund: {
    summary: 'ask for the rest of a payment channel back',
    usage: ['refund [options]'],
    description: [
      'Asks the service to pay back what is left in the channel that buy --channel opened. The service sends and pays for ' +
        'the transaction, once for each check that was bought. Without the service, withdraw at the settlement ' +
        'contract, which takes a day.',
    ],
    options: {
      url: URL_OPTION,
      network: NETWORK,
      amount: { value: 'USD', help: 'a part of it (all that is left)' },
      'channel-file': CHANNEL_FILE,
      'rpc-url': RPC_URL,
      ...RESULT_OPTIONS,
    },
  },
  mcp: {
    summary: 'an MCP server over stdio that pays, for hosts without a wallet',
    usage: ['mcp [options]'],
    description: [
      'Serves the tools over stdio to a desktop assistant or an editor, and pays for each call with the key of ' +
        'BUYER_PRIVATE_KEY or BUYER_PRIVATE_KEY_FILE (a sandbox: with its funded buyer). Cost, receipt and the sum of ' +
        'the day are in each result. Values are not logged.',
    ],
    options: {
      url: URL_OPTION,
      network: NETWORK,
      'max-price': { value: 'USD', default: '0.001', help: 'the most to pay for one value' },
      'max-list': { value: 'USD', default: '0.1', help: 'the most to pay for one list' },
      'max-spend': { value: 'USD', default: '1', help: 'the most to pay on one UTC day' },
      spending: {
        value: 'FILE',
        help: 'where the sum of the day is stored (~/.local/state/format-checker/spending.sqlite)',
      },
    },
  },
  verify: {
    summary: 'check a receipt, offline if its key is at hand',
    usage: ['verify FILE [options]', 'verify - [options]', 'verify FILE.statement.json [LIST] [options]'],
    description: [
      'Checks the signature of a receipt, and that the request and the result beside it are the ones that were sold. ' +
        'FILE is the settlement response as JSON, or {"receipt": ..., "request": ..., "result": ...} with it; request ' +
        'is {"type": ..., "value": ...}, result is the answer. The output of buy --json works too; "-" is standard ' +
        'input. If a single byte differs from what was sold, the exit code is 1.',
      'Name the service with --url, which fetches its DID document and sends nothing of the receipt, or by its keys ' +
        'with --jwks or --key. Without them the command uses no network, does not check the signer, and ends with 4.',
      'Of the statement of a list, --out writes the values and answers that its receipts prove, with payer, transaction and ' +
        'time. Only that list is evidence; without --out the command prints counts alone. LIST, the file with the ' +
        'results, and --input are not read: their SHA-256 is compared with that in the statement, which no one signed.',
      'The exit code of a statement is 1 if fewer values are proved than it names, a file has another hash, or several ' +
        'accounts paid that --payers does not name.',
    ],
    positionals: true,
    options: {
      url: { value: 'URL', help: 'the service that must have signed' },
      key: { value: 'FILE', help: 'the public key, as PEM or JWK' },
      jwks: { value: 'FILE', help: 'a kept copy of /.well-known/did.json or /.well-known/jwks.json' },
      out: { value: 'FILE', help: 'write the proved list: .csv, .jsonl, or "-" for CSV on standard output' },
      payers: { value: 'ADDRESSES', help: 'the accounts that may have paid, with commas between them' },
      input: { value: 'FILE', help: 'the list that was bought, to compare its hash' },
      'rpc-url': { value: 'URL', help: 'a node to ask for the transfers of a statement' },
      json: RESULT_OPTIONS.json,
    },
  },
  doctor: {
    summary: 'report on settings, node, facilitator, store and front',
    usage: ['doctor [options]'],
    description: [
      'Examines the service that the environment configures, also while it runs: settings, the checksum of PAY_TO, ' +
        'accounts, store, node, facilitator, TLS, and the 402 as it arrives through BASE_URL. Each line is pass, warn ' +
        'or fail, with what to do. Nothing is paid and nothing is changed. The exit code is 1 if a line fails.',
    ],
    options: {
      json: RESULT_OPTIONS.json,
      quiet: { short: 'q', help: 'leave out the lines that pass' },
    },
  },
  stats: {
    summary: 'export what was sold',
    usage: ['stats [options]'],
    description: [
      'Exports what was sold: date, payer, amount, transaction, type, surface. Runs beside a running service, with ' +
        'the same environment. Days are UTC, e.g. 2026-11-20.',
    ],
    options: {
      from: { value: 'DAY', default: '2000-01-01', help: 'the first day' },
      to: { value: 'DAY', help: 'the last day, included (today)' },
      counts: { help: 'the daily counts of every outcome instead' },
      channels: { help: 'every payment channel instead, as it is now' },
      ...RESULT_OPTIONS,
    },
  },
  reconcile: {
    summary: 'ask the chain about every payment in doubt, once',
    usage: ['reconcile [options]'],
    description: [
      'Asks the chain once about every payment in doubt, looks for the transfer of every settled one, and prints ' +
        'what it found. A running service does this every minute; stop it first if its store is embedded.',
      'After a restore, --restored TIME also walks the chain since that time and writes a row for every payment the ' +
        'store has lost, so that its buyer gets the answer.',
      'Only a running service reads payment channels; "stats --channels" lists what it knows of each.',
    ],
    options: {
      restored: {
        value: 'TIME',
        help: 'after a restore: the UTC time of the backup, such as 2026-11-20T04:00:00Z',
      },
      ...RESULT_OPTIONS,
    },
  },
  migrate: {
    summary: 'update the schema of the store',
    usage: ['migrate [options]'],
    description: [
      'Updates the schema of the store and ends. A service does this at its start; run it by hand before replicas ' +
        'of a new version start.',
    ],
    options: RESULT_OPTIONS,
  },
} as const satisfies Readonly<Record<string, CommandSpec>>

export type CommandName = keyof typeof COMMANDS

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[]

/** Commands of `packages/command`; the launcher has the same list. */
export const BUYER_COMMANDS = ['try', 'buy', 'refund', 'mcp', 'verify'] as const
export type BuyerCommand = (typeof BUYER_COMMANDS)[number]

/** The command of that name; undefined for an unknown one. */
export const findCommand = (name: string): CommandSpec | undefined =>
  Object.hasOwn(COMMANDS, name) ? COMMANDS[name as CommandName] : undefined
