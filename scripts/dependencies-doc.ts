import { readFileSync } from 'node:fs'
import { csvTable } from './csv-table.ts'
import { readLock } from './read-lock.ts'

const ROOT = new URL('../', import.meta.url)

/** Why a running service needs each package it names; a test holds this list against package.json. */
export const REASONS: Readonly<Record<string, string>> = {
  '@a2a-js/sdk':
    'the JSON-RPC transport and types of both versions of A2A, kept in step with the protocol (`src/surfaces/a2a/sdk-transport.ts`)',
  '@modelcontextprotocol/server': 'the same for MCP, whose revisions differ in more than names',
  '@x402/core': 'terms, wire schemas, header codecs and the facilitator’s interface of x402 itself',
  '@x402/evm':
    'the scheme `exact` on EVM chains, for quotes and for settling in process (`src/payments/facilitators/`)',
  '@x402/express':
    'x402’s resource server; its middleware is not used (docs/adr/0001), since it keeps no record of a sale (`src/payments/facilitators/resource-server.ts`)',
  '@x402/extensions': 'declarations of discovery, payment identifiers, offers and receipts',
  ajv: 'JSON Schema 2020-12: the skills’ schemas are compiled with it once, at boot (`src/catalog/validate-input.ts`)',
  'better-sqlite3': 'the embedded store; Node’s own SQLite is not stable yet in the versions we run on',
  canonicalize: 'canonical JSON (RFC 8785), which offers and receipts are signed over; no packages below it',
  envalid: 'settings read and judged by one table, from which their documents are made',
  express:
    'the application: its chain of middleware runs every surface, without routes (`src/http/express-app.ts`)',
  helmet: 'the security headers, kept current by people who do nothing else; no packages below it',
  'highlight.js':
    'colours in the code of the documents, made on the server; ten languages of it are loaded; no packages below it',
  'markdown-it': 'the documents as pages, with raw HTML off; six small packages below it',
  'ipaddr.js': 'client addresses in all their forms, for the limits',
  jose: 'JSON Web Tokens for a facilitator that wants one for each request',
  'lru-cache': 'bounded caches',
  minisearch:
    'the search over all pages, in the browser; no packages below it (`src/surfaces/site/assets/search-ranking.js`)',
  pg: 'PostgreSQL, for several replicas',
  pino: 'log lines as JSON that do not hold up a request',
  'prom-client': 'metrics in the form Prometheus reads',
  uuid: 'ids of requests, tasks and processes (`src/http/headers/request-id.ts`)',
  viem: 'EIP-712, ABI, JSON-RPC and accounts of EVM chains; audited cryptography below it (`src/payments/authorization/`, `src/payments/chain/`)',
  '@foundry-rs/anvil-*':
    'optional: the sandbox’s chain; npm installs the one of the machine; live mode never starts it',
  secp256k1: 'optional: recovers signers natively; where there is no binary of it, JavaScript does the same',
}

/** A package that is published for each machine by itself counts as one. */
export const kindOf = (name: string): string =>
  name.startsWith('@foundry-rs/anvil-') ? '@foundry-rs/anvil-*' : name

/** Licences a part of a running service may have: all of them let it be used and passed on without conditions on ours. */
export const ALLOWED_LICENSES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT OR Apache-2.0',
  'PSF-2.0',
  'Unlicense',
])

/** Packages that may run a script when they are installed, and why. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  node: 'puts the pinned Node into `node_modules/.bin`; development only',
}

/** What package.json names for a running service, with its version. */
function namedPackages(): ReadonlyMap<string, string> {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(new URL('package.json', ROOT), 'utf8'),
  ) as Record<string, Record<string, string>>
  return new Map(
    Object.entries({ ...dependencies, ...optionalDependencies }).map(([name, version]) => [
      kindOf(name),
      version,
    ]),
  )
}

/** docs/evidence/dependencies.csv: each of them with its reason. */
export const dependencyTable = (): string =>
  csvTable(
    ['package', 'version', 'why'],
    [...namedPackages()].map(([name, version]) => [name, version, REASONS[name] ?? '']),
  )

/** docs/evidence/dependencies.md, from these lists and the lock file. */
export function dependenciesDoc(): string {
  const packages = readLock(new URL('package-lock.json', ROOT))
  const running = packages.filter(({ dev }) => !dev)
  const licenses = Map.groupBy(running, ({ license }) => license ?? 'none named')
  return `---
reader: reviewers
---
# Dependencies

A running service consists of our own code and ${running.length} packages, of which it names ${namedPackages().size}; ${packages.length - running.length} more are for tests and
tools and are not in the image. \`npm run --silent sbom\` writes the bill of materials (CycloneDX) from the lock file with npm itself.

## Packages

[Each package that it names, with its version and why](dependencies.csv).

<!-- begin: packages -->
| licence | packages of a running service |
|---|---|
${[...licenses]
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([license, some]) => `| ${license} | ${some.length} |`)
  .join('\n')}
<!-- end: packages -->

## What holds this

\`test/dependencies.test.ts\`, offline, from \`package.json\` and the lock file alone:

- every version named is exact; every package comes from a registry, never from a repository or an address, and the lock
  file has a SHA-512 digest that \`npm ci\` holds it against, whichever registry it asks;
- the lock file is that of \`package.json\`, and nothing that is named is unused in the code;
- scripts run at installation for ${Object.entries(SCRIPTS)
    .map(([name, why]) => `\`${name}\` alone (${why})`)
    .join(', ')};
  \`allowScripts\` in \`package.json\` says so to npm, and the image is built with \`--ignore-scripts\`;
- every licence of a running part is one of those in the table above, which ask nothing of ours;
- every dependency has its reason in [the list](dependencies.csv).

## Known vulnerabilities

Nothing here asks a server when it is tested or started. \`npm audit --omit=dev\` asks the registry; run it before each
release and weekly. A finding in a package that a running service holds is a bug of ours: update, or show in the change
why it cannot be reached. One that only tests hold waits for the next update. \`npm audit signatures\` compares every package
with the signatures and the provenance of the public registry; mirrors often have none.

## Updating

\`npm outdated\` prints what could be updated. Once a month, and before each release; parts of a running service first.

- A reason first: a fix we need, a protocol revision, or a security notice. Not because a number is higher.
- One package (or one family, such as \`@x402/*\`) in one change, with its changelog read and the reason in the commit.
  \`npm install --save-exact NAME@VERSION\`, then \`npm test\`, \`npm run test:conformance\`, \`npm run test:fuzz\`.
- A version is at least a week old, unless it closes a hole: most poisoned releases are found within days.
- Packages of a protocol (\`@x402/*\`, \`@a2a-js/sdk\`, \`@modelcontextprotocol/*\`) are compared with the recorded differences
  in \`test/e2e\` before and after.
- A hundred lines of our own that need no upkeep are better than a new dependency.
`
}
