import { existsSync } from 'node:fs'
import { csvTable } from './csv-table.ts'

/** Every promise of the service with the one suite that owns it, for docs/evidence/promises.csv. */

interface ProvenPromise {
  readonly promise: string
  readonly to: 'buyers' | 'operators' | 'reviewers'
  /** The file or folder that fails if the promise is broken. */
  readonly owner: string
  /** Suites that ask again where something real adds what the owner has not: path and what that is. */
  readonly also?: readonly (readonly [path: string, adds: string])[]
}

const PROVEN: readonly ProvenPromise[] = [
  {
    promise: 'A call is charged at most once, and answered once charged',
    to: 'buyers',
    owner: 'test/simulation',
    also: [
      ['test/faults/fault-table.test.ts', 'processes that are killed, a facilitator, a node'],
      ['test/faults/thousand-sales.test.ts', 'three replicas on PostgreSQL, over all surfaces'],
      ['test/postgres/histories.test.ts', 'sessions, pools and the server ended; a failover to a standby'],
      ['test/postgres/postgres-conflicts.test.ts', 'deadlocks and failed serializations'],
      ['test/faults/rolling-restart.test.ts', 'replicas of the version before'],
      ['test/faults/clock-moved.test.ts', 'a clock that is moved by a day, both ways, under paid calls'],
    ],
  },
  {
    promise: 'One voucher of a channel answers one call, and no more is claimed than was signed for',
    to: 'buyers',
    owner: 'test/model/channel.test.ts',
    also: [
      ['test/faults/channel-table.test.ts', 'the stock client, contracts on a chain'],
      ['test/faults/channels-replicas.test.ts', 'three replicas on PostgreSQL'],
    ],
  },
  {
    promise: 'A sale that was sent is in the store after a power cut',
    to: 'buyers',
    owner: 'test/faults/power-cuts.test.ts',
    also: [
      ['test/power-cuts', 'thousands of images of each case, nightly'],
      ['test/ledger/sqlite/sqlite-ledger.test.ts', 'what follows a failed flush in one process'],
      ['test/ledger/sqlite/write-faults.test.ts', 'disks that are full or read-only'],
      ['test/postgres/durability.test.ts', 'settings of the server'],
    ],
  },
  {
    promise: 'After an older backup nothing is charged or sold twice',
    to: 'operators',
    owner: 'test/payments/recovery/older-backup.test.ts',
    also: [['test/postgres/sales.test.ts', 'two replicas on PostgreSQL']],
  },
  {
    promise: 'Each refusal says whether anything was charged, and it is so',
    to: 'buyers',
    owner: 'test/payments/sale/verdicts-and-charges.test.ts',
    also: [['test/simulation/promises.ts', 'every schedule']],
  },
  {
    promise: 'A repeat of what was bought is answered, free, and never told to pay again',
    to: 'buyers',
    owner: 'test/payments/sale/replay.test.ts',
    also: [['test/surfaces/call/give-back.test.ts', 'the limits of its address']],
  },
  {
    promise: 'The ledger equals the chain, and the audit finds what was not paid',
    to: 'operators',
    owner: 'test/payments/recovery/audit.test.ts',
    also: [['test/payments/chain/rpc-chain-reader.test.ts', 'a node']],
  },
  {
    promise: 'A day of own settlements loses no more than its setting',
    to: 'operators',
    owner: 'test/model/treasury.test.ts',
    also: [
      ['test/model/settlement.test.ts', 'two processes with one key'],
      ['test/payments/facilitators/self/queue/batches.test.ts', 'a chain'],
    ],
  },
  {
    promise: 'The signer signs a closed list and no more than a day of it',
    to: 'operators',
    owner: 'test/main/signer/attacks.test.ts',
  },
  {
    promise: 'A verdict is right by the published rule',
    to: 'buyers',
    owner: 'packages/checks/test',
    also: [['test/vectors', 'values of the sources and of other libraries']],
  },
  {
    promise: 'A check returns what its published schema allows',
    to: 'buyers',
    owner: 'test/catalog',
    also: [['test/catalog/recipe.test.ts', 'three checks that do not exist yet']],
  },
  {
    promise: 'One price, one verdict and one set of errors over three protocols',
    to: 'buyers',
    owner: 'test/parity.test.ts',
    also: [['test/conformance', 'clients that others wrote']],
  },
  {
    promise: 'The value is in no reply, log, row or metric',
    to: 'buyers',
    owner: 'test/e2e/privacy.test.ts',
    also: [['test/fuzz', 'inputs at random']],
  },
  {
    promise: 'Wrong input gets a typed error and is not charged',
    to: 'buyers',
    owner: 'test/errors.test.ts',
    also: [
      ['test/surfaces/rest/bad-input.test.ts', 'forms of HTTP and JSON'],
      ['test/surfaces/a2a', 'forms of A2A'],
      ['test/surfaces/mcp/hostile.test.ts', 'forms of MCP'],
    ],
  },
  {
    promise: 'A receipt or statement is genuine only as far as it was proved',
    to: 'buyers',
    owner: 'packages/command/test/verify/statements',
    also: [['packages/command/test/verify/second-verifier', 'another program, from the documents alone']],
  },
  {
    promise: 'A list comes back in its own form, and nothing is paid for twice',
    to: 'buyers',
    owner: 'packages/command/test/list',
    also: [
      ['test/faults/cli-list-kills.test.ts', 'SIGKILL at every step'],
      ['test/browser/lists.test.ts', 'a browser'],
      ['test/spreadsheets', 'programs of others'],
    ],
  },
  {
    promise: 'The command spends no more than its limit, and forgets nothing that it paid',
    to: 'buyers',
    owner: 'packages/command/test/mcp/spending.test.ts',
    also: [
      ['test/faults/buyer-power-cut.test.ts', 'a cut after each recorded call to the system'],
      ['test/faults/mcp-kills.test.ts', 'two processes, killed at random'],
    ],
  },
  {
    promise: 'A flood of one address does not stop others',
    to: 'operators',
    owner: 'test/e2e/flood.test.ts',
    also: [['test/soak', 'minutes of it, and memory']],
  },
  {
    promise: 'A start with a mistake in its settings ends with its cause',
    to: 'operators',
    owner: 'test/config.test.ts',
    also: [['test/main', 'accounts, keys, a node']],
  },
  {
    promise: 'Each fault that needs a person raises an alert that names the page',
    to: 'operators',
    owner: 'test/alerting-docs.test.ts',
    also: [['test/monitoring', 'Prometheus']],
  },
  {
    promise: 'The documents are true: their programs run, their tables are those of the code',
    to: 'reviewers',
    owner: 'test/documents.test.ts',
    also: [
      ['test/e2e/snippets.test.ts', 'five languages'],
      ['test/generated-docs.test.ts', 'tables'],
    ],
  },
  {
    promise: 'Layers import downwards alone',
    to: 'reviewers',
    owner: 'test/architecture.test.ts',
  },
]

/** Beside unit and system, by the beginning of a path. */
const SUITES: readonly (readonly [begins: string, suite: string])[] = [
  ['test/model', 'model'],
  ['test/simulation', 'simulator'],
  ['test/payments/sale/verdicts-and-charges', 'schedules'],
  ['test/faults', 'faults'],
  ['test/postgres', 'PostgreSQL'],
  ['test/conformance', 'conformance'],
  ['test/browser', 'browser'],
  ['test/monitoring', 'monitoring'],
  ['test/fuzz', 'fuzz'],
  ['test/soak', 'soak'],
  ['test/spreadsheets', 'spreadsheets'],
]

const place = (path: string): string => {
  if (!existsSync(new URL(`../${path}`, import.meta.url))) throw new Error(`no ${path}, which owns a promise`)
  const [, suite] = SUITES.find(([begins]) => path.startsWith(begins)) ?? []
  return suite === undefined ? path : `${suite}: ${path}`
}

export const promiseTable = (): string =>
  csvTable(
    ['promise', 'to', 'owner', 'asked again, for what is real there'],
    PROVEN.map(({ promise, to, owner, also = [] }) => [
      promise,
      to,
      place(owner),
      also.map(([path, adds]) => `${place(path)} (${adds})`).join('; '),
    ]),
  )
