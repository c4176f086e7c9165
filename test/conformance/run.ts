/**
 * Runs clients and conformance suites of other projects against the service.
 *
 * Needs this folder's own packages (`npm ci --ignore-scripts` in it) and Node 22.19 or newer:
 *
 *   node test/conformance/run.ts                       the service in its sandbox, started for the run
 *   node test/conformance/run.ts --url http://...      a sandbox that already runs
 *   node test/conformance/run.ts --stand-in            the endpoint alone, with a sale that takes every payment
 *   node test/conformance/run.ts --tck FOLDER           also the A2A test kit, unpacked there; skipped without it
 *   node test/conformance/run.ts --x402-e2e FOLDER      also the x402 project's end-to-end clients, installed; skipped without it
 *   node test/conformance/run.ts --only agents         trials whose name contains a word
 *   node test/conformance/run.ts --report FILE         writes the results as a table, for docs/evidence/clients-tested.md
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { csvTable } from '../../scripts/csv-table.ts'
import { a2aTrials } from './clients/a2a-sdk.ts'
import { agentsTrials } from './clients/agents.ts'
import { generatedTrials } from './clients/generated-clients.ts'
import { hostTrials } from './clients/hosts.ts'
import { inspectorTrials } from './clients/inspector.ts'
import { localStdioTrials } from './clients/local-stdio.ts'
import { mcpSchemaTrials } from './clients/mcp-schemas.ts'
import { mcpcTrials } from './clients/mcpc.ts'
import { plainTrials } from './clients/plain-sdk.ts'
import { protoJsonTrials } from './clients/proto-json.ts'
import { restBuyerTrials } from './clients/rest-buyers.ts'
import { sideBySideTrials } from './clients/side-by-side.ts'
import { twoAddressTrials } from './clients/two-addresses.ts'
import { x402ExtensionTrials } from './clients/x402-extensions.ts'
import { doorTrials } from './doors/doors.ts'
import { runningSandbox, startSandbox } from './sandbox.ts'
import { startStandIn } from './stand-in.ts'
import { tckTrials } from './suites/a2a-tck.ts'
import { suiteTrials } from './suites/suites.ts'
import { x402E2eTrials } from './suites/x402-e2e.ts'
import type { Trial } from './target.ts'

const BY_HAND = '## Tried by hand'

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    'stand-in': { type: 'boolean' },
    only: { type: 'string', default: '' },
    report: { type: 'string' },
    tck: { type: 'string' },
    'x402-e2e': { type: 'string' },
  },
})

const all: readonly Trial[] = [
  ...plainTrials,
  ...restBuyerTrials,
  ...twoAddressTrials,
  ...a2aTrials,
  ...generatedTrials,
  ...agentsTrials,
  ...mcpcTrials,
  ...inspectorTrials,
  ...localStdioTrials,
  ...hostTrials,
  ...sideBySideTrials,
  ...x402ExtensionTrials,
  ...mcpSchemaTrials,
  ...protoJsonTrials,
  ...suiteTrials,
  ...tckTrials(values.tck),
  ...x402E2eTrials(values['x402-e2e']),
  ...doorTrials,
]
const trials = all.filter(({ name }) => name.includes(values.only))

const target =
  values.url !== undefined
    ? await runningSandbox(values.url)
    : await (values['stand-in'] ? startStandIn() : startSandbox())
let failures = 0
let skipped = 0
const TRIAL_HEAD = ['program and what it does, or input', 'holds']
const rows: string[][] = []
try {
  for (const { name, lacks, run } of trials) {
    if (lacks !== undefined) {
      skipped += 1
      console.log(`skip ${name}: needs ${lacks}`)
      rows.push([name, 'skipped'])
      continue
    }
    const begun = performance.now()
    const error = await run(target).then(() => undefined, toError)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(`${error === undefined ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
    rows.push([name, error === undefined ? 'yes' : 'no'])
    if (error !== undefined) {
      failures += 1
      console.log(error.stack)
    }
  }
} finally {
  await target.stop()
}
if (values.report !== undefined) {
  writeFileSync(values.report, report(rows))
  writeFileSync(values.report.replace(/\.md$/, '.csv'), csvTable(TRIAL_HEAD, rows))
}
const ran = trials.length - skipped
console.log(`${ran - failures} of ${ran} hold, ${skipped} skipped`)
process.exitCode = failures === 0 && trials.length > 0 ? 0 : 1

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function report(results: readonly (readonly string[])[]): string {
  const held = results.filter(([, holds]) => holds === 'yes').length
  return `---
reader: developers
---
# Clients tested

Programs of others that were run unmodified against the service in its sandbox, and inputs as such programs send them, by
\`node test/conformance/run.ts --report docs/evidence/clients-tested.md\`.

## Trials

${held} of ${results.length} hold${skippedIn(results)}: [every trial](clients-tested.csv). Among the programs are the SDKs of A2A (1.x and 0.3) and MCP, \`@x402/fetch\`,
\`@x402/axios\`, their ancestors of version 1, \`@faremeter/fetch\`, agents, mcpc, the Inspector, openapi-typescript, orval and
Spectral.

${byHand()}`
}

function skippedIn(results: readonly (readonly string[])[]): string {
  const count = results.filter(([, holds]) => holds === 'skipped').length
  return count === 0 ? '' : `, ${count} skipped`
}

/** What was written by hand below the table, which stays. */
function byHand(): string {
  const text = readFileSync('docs/evidence/clients-tested.md', 'utf8')
  return text.slice(text.indexOf(BY_HAND))
}
