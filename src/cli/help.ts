import { CHECK_TYPES } from '../checks/verdict.ts'

const TYPES = `TYPE is one of ${CHECK_TYPES.join(', ')}.`

const EXIT_CODES = `Exit codes
  0  done; an identifier that is not valid is a result like any other
  1  not done: refused, failed, or lines that are no values
  2  wrong usage
  3  it is not known whether a payment was made`

/** What `--help` says of the program; fits a terminal of 80 columns, as do those below. */
export const HELP = `format-checker: format and checksum of identifiers, paid per call with x402

  serve             run the service; without any setting, a sandbox
  try TYPE VALUE    run a check on this machine: no payment, no network
  buy TYPE VALUE    pay for a check at a running service
  stats             export what was sold
  reconcile         ask the chain about every doubtful payment, once
  migrate           bring the store up to date, before a new version starts

  help COMMAND, or COMMAND --help, says more.
  ${TYPES}

${EXIT_CODES}`

/** What `--help` says of one command. */
export const COMMAND_HELP: Readonly<Record<string, string>> = {
  serve: `format-checker serve

  Runs the service until SIGTERM or SIGINT. The environment says how:
  docs/configuration.md has every variable. Without any it is a sandbox on this
  machine, with a local chain and test money; nothing is real, and it ends its
  start with a paid check of its own. PORT is 4021 by default, 0 picks one.

${EXIT_CODES}`,

  try: `format-checker try TYPE VALUE
format-checker try TYPE -

  Runs a check on this machine and prints its result: no payment, no network.
  With "-" each line of standard input is a JSON string, and each line of
  output its result, or {"code":"..."} where the line is no value.

  ${TYPES}

${EXIT_CODES}`,

  buy: `format-checker buy TYPE VALUE [options]
format-checker buy TYPE --file FILE [options]

  Pays for a check at a running service, as any x402 client would. The key is
  read from BUYER_PRIVATE_KEY; without it, the funded buyer of a sandbox pays.

  --url URL          service to buy from (default http://127.0.0.1:4021)
  --surface NAME     rest (default), a2a or mcp: the same check and price
  --max-price USD    most to pay for one check (default 0.001)
  --dry-run          show the terms; nothing is signed
  --file FILE        a check for each line, a JSON string; "-" reads standard
                     input. One line of JSON is written for each.
  --json             print what came of it as one line of JSON

  ${TYPES}

  Only USDC on Base is paid with. When no answer comes, or the service does not
  know yet, the same signed request is sent again, up to six times; it cannot
  be charged twice. If that settles nothing, the exit code is 3.

${EXIT_CODES}`,

  stats: `format-checker stats [--from DAY] [--to DAY] [--format csv|json] [--counts]

  Exports what was sold: date, payer, amount, transaction, type, surface. Works
  beside a running service, with the same environment. Days are UTC, e.g.
  2026-11-20, the last one included; without them, everything.

  --counts           the daily counts of every outcome instead

${EXIT_CODES}`,

  reconcile: `format-checker reconcile [--json]

  Asks the chain once about every doubtful payment, looks for the transfer of
  every settled one, and prints what was found. A running service does this by
  itself every minute; on an embedded store it has to be stopped first.

${EXIT_CODES}`,

  migrate: `format-checker migrate

  Brings the schema of the store up to date and ends. A service does this at
  its start, too; here it can be done before replicas of a new version start.

${EXIT_CODES}`,
}
