import { readFileSync } from 'node:fs'
import { buildRegistry } from '../src/catalog/registry.ts'
import type { SkillRegistry } from '../src/catalog/skill.ts'
import { COMMAND_NAMES } from '../src/command-line/commands.ts'
import { renderProgramHelp } from '../src/command-line/help.ts'
import { SETTING_GROUPS } from '../src/config/settings.ts'
import { ERRORS, type ErrorCode, type ErrorEntry } from '../src/errors.ts'
import { SOURCE } from '../src/files/source.ts'
import { checkedThings } from '../src/surfaces/site/checked-things.ts'
import { millionths } from '../src/values/millionths.ts'
import { alertsYaml } from './alert-rules.ts'
import { cliDoc } from './cli-doc.ts'
import { adviceTable, correctnessDoc, hintsDoc, knownOfflineDoc, sourcesTable } from './correctness-doc.ts'
import { dependenciesDoc, dependencyTable } from './dependencies-doc.ts'
import { roomLines } from './doors.ts'
import { batchTable, deploymentTable, keptChart, keptSentence, keptTable, wayTable } from './gas-doc.ts'
import { markedIban } from './marked-iban.ts'
import { paymentsDoc, saleSteps, saleTransitions } from './payments-doc.ts'
import { performanceDocs } from './performance-doc.ts'
import { promiseTable } from './promises.ts'
import { mutantFigures, mutantTable } from './proof-doc.ts'
import { FIGURES, pagesWithFigures, withFigures } from './recorded-figures.ts'
import { responseHeadsDoc, responseHeadsTable } from './response-heads-doc.ts'
import { between, personalTable } from './skill-tables.ts'
import { whatExists, whereToReport } from './source-doc.ts'

/** The files that are written from the code, by path from the project's root; a test keeps them equal to it. */
export function generatedDocs(): ReadonlyMap<string, string> {
  const skills = buildRegistry()
  const pages = new Map([
    [
      'README.md',
      between(
        between(within('README.md', 'checks', headline(skills)), 'source', whatExists(SOURCE)),
        'kept',
        keptSentence(),
      ),
    ],
    ['SECURITY.md', within('SECURITY.md', 'report', whereToReport(SOURCE))],
    ['docs/configuration.md', configuration()],
    ['docs/correctness.md', correctnessDoc()],
    ['docs/known-offline.md', knownOfflineDoc(skills)],
    ['docs/evidence/sources.csv', sourcesTable(skills)],
    ['docs/evidence/hints.md', hintsDoc()],
    ['docs/evidence/hints.csv', adviceTable(skills)],
    ['docs/privacy.md', within('docs/privacy.md', 'personal', personalTable(skills.all))],
    ['docs/errors.md', errors()],
    ['docs/cli.md', cliDoc()],
    ['docs/how-it-works.md', within('docs/how-it-works.md', 'rooms', roomLines())],
    ['bin/help.txt', `${renderProgramHelp(COMMAND_NAMES)}\n`],
    ['docs/evidence/dependencies.md', dependenciesDoc()],
    ['docs/evidence/dependencies.csv', dependencyTable()],
    ['docs/evidence/sale-states.md', paymentsDoc()],
    ['docs/evidence/sale-steps.csv', saleSteps()],
    ['docs/evidence/sale-transitions.csv', saleTransitions()],
    ['docs/evidence/proof.md', proof()],
    ['docs/evidence/promises.csv', promiseTable()],
    ['docs/evidence/aggregator.csv', deploymentTable()],
    ['docs/evidence/response-heads.md', responseHeadsDoc()],
    ['docs/evidence/response-heads.csv', responseHeadsTable()],
    ['docs/evidence/mutants.csv', mutantTable()],
    ...performanceDocs(),
    ['docs/charts/kept.svg', keptChart()],
    ['docs/charts/marked-iban.svg', markedIban()],
    [
      'docs/evidence/gas.md',
      between(within('docs/evidence/gas.md', 'batches', batchTable()), 'kept', wayTable()),
    ],
    ['docs/going-live.md', within('docs/going-live.md', 'kept', keptTable())],
    ['docs/channels.md', within('docs/channels.md', 'ways', waysToPay())],
    ['.env.example', environmentExample()],
    ['docs/alerts.yml', alertsYaml()],
    ['deploy/kubernetes/monitoring/prometheus-rule.yaml', prometheusRule()],
  ])
  for (const [path, text] of pagesWithFigures()) pages.set(path, withFigures(pages.get(path) ?? text))
  return pages
}

const waysToPay = () =>
  `![300 single payments are 300 transactions; over a channel they share a deposit, a claim and a payout: ${FIGURES.gas} gas a call beside ${FIGURES.gasCall}](charts/ways-to-pay.svg)`

const proof = (): string => within('docs/evidence/proof.md', 'mutants', mutantFigures())

/** A page with what stands between two of its comments written again. */
const within = (path: string, name: string, content: string): string =>
  between(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'), name, content)

const headline = (skills: SkillRegistry): string =>
  `**Validate ${checkedThings(skills)} before your program acts on them.**`

/** The groups of settings, each as its title and what is said of its settings. */
const SETTING_NOTES = Object.entries(SETTING_GROUPS).map(
  ([title, group]) =>
    [
      title,
      Object.entries(group).map(([name, spec]) => {
        const { desc: note = '', default: fallback } = spec as { desc?: string; default?: unknown }
        return {
          name,
          note,
          fallback: typeof fallback === 'bigint' ? millionths(fallback) : String(fallback ?? ''),
        }
      }),
    ] as const,
)

function configuration(): string {
  const tables = SETTING_NOTES.map(([title, settings]) => {
    const rows = settings.map(({ name, fallback, note }) => `| \`${name}\` | ${fallback} | ${note} |`)
    return `## ${title}\n\n| variable | default | what it does |\n|---|---|---|\n${rows.join('\n')}`
  })
  return `---
reader: operators
---
# Configuration

Set environment variables; the service reads them once at startup. Without any of \`NETWORK\`, \`PAY_TO\`, \`BASE_URL\`,
\`FACILITATOR_URL\`, \`RPC_URL\` and \`DATABASE_URL\` it is a **sandbox** on this machine. With one of them it runs **live** and needs
\`PAY_TO\`, \`BASE_URL\`, \`FACILITATOR_URL\`, \`RPC_URL\`, and either a \`DATA_DIR\` (one process) or a \`DATABASE_URL\` (replicas) with
\`SECRET_KEY\`, \`CARD_KEY\` and \`RECEIPT_KEY\`. A missing, contradictory or misspelt setting stops the start with one line that names it. A blank variable counts as
unset. Do not put quotes around a value. \`<NAME>_FILE\` reads any setting from a file. No setting serves a verdict unpaid.

<!-- begin: settings -->
${tables.join('\n\n')}
<!-- end: settings -->
`
}

function errors(): string {
  const entryOf = ([code, entry]: [ErrorCode, ErrorEntry]) => {
    const { status, title, detail, charged, retry } = entry
    // `charged` is beside it.
    const said =
      charged === false
        ? detail.replace(/ Nothing was charged(?:\.|; (.))/, (_, next) =>
            next === undefined ? '' : ` ${next.toUpperCase()}`,
          )
        : detail
    const promise = entry.promise === undefined ? '' : `, promise \`${entry.promise}\``
    const taken = charged === false ? '' : `, charged \`${charged}\``
    return `### ${code}\n\n${status} ${title}: \`${retry}\`${taken}${promise}. ${said}\n`
  }
  const groupOf = ({ status }: ErrorEntry) => {
    if (status >= 500) return 'About the service'
    return status === 402 || status === 409 ? 'About the payment' : 'About the request'
  }
  const all = Object.entries(ERRORS) as [ErrorCode, ErrorEntry][]
  const groups = [...Map.groupBy(all, ([, entry]) => groupOf(entry))].map(
    ([title, entries]) => `## ${title}\n\n${entries.map(entryOf).join('\n')}`,
  )
  return `---
reader: developers
---
# Errors

Look up what an error code means, whether you were charged, and what to do next. REST answers with
\`application/problem+json\` (RFC 9457); A2A and MCP carry the same code. No error contains a value to check. An identifier
that fails its check gets a result with \`valid: false\` instead of an error. For a list, \`index\` names the first wrong item.

## What to do

Every error has \`charged\` and \`retry\`: on REST in the problem details, on A2A in the error's details or the task's
metadata, on MCP in \`_meta["format-checker/error"]\` of a result or in \`data\` of a JSON-RPC error. What a protocol refuses
itself (an unknown method or tool) has the protocol's number instead of a code.

| \`charged\` | meaning |
|---|---|
| \`false\`, the default below | This request was not charged. |
| \`true\` | The payment of this request was charged, now or earlier. |
| \`"unknown"\` | The outcome is open. Sign a new payment only if \`retry\` says so. |

| \`retry\` | what to do |
|---|---|
| \`never\` | Do not repeat the request. |
| \`fix\` | Correct the request; the same payment may be used. |
| \`unchanged\` | Repeat the same request with the same payment, after \`Retry-After\` if it is given. |
| \`new_payment\` | Sign a new payment for the offered terms and repeat the request with it; after a failed A2A task without the task id. |

A promise covers the authorization in all requests before this answer: \`never\` says that it will not be charged, \`charged\` that it
was, \`open\` neither ([proof](evidence/proof.md)).

<!-- begin: codes -->
${groups.join('\n')}<!-- end: codes -->
`
}

/** The alert rules as a resource of the Prometheus Operator. */
function prometheusRule(): string {
  const rules = alertsYaml()
  const groups = rules.slice(rules.indexOf('groups:')).trimEnd().split('\n')
  return `# Written from scripts/alert-rules.ts by \`node scripts/update-docs.ts\`.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: format-checker
spec:
${groups.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}
`
}

function environmentExample(): string {
  const groups = SETTING_NOTES.map(([title, settings]) => {
    const lines = settings.map(
      ({ name, fallback, note }) => `# ${note.replaceAll('`', '')}\n# ${name}=${fallback}\n`,
    )
    return `# --- ${title} ---\n\n${lines.join('\n')}`
  })
  return `# Every setting, as docs/configuration.md describes it. Without any the service is a sandbox.\n\n${groups.join('\n')}`
}
