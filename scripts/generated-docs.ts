import { readFileSync } from 'node:fs'
import { SETTING_NOTES } from '../src/config/settings.ts'
import { ERRORS } from '../src/errors.ts'
import { cliDoc } from './cli-doc.ts'
import { dependenciesDoc } from './dependencies-doc.ts'
import { paymentsDoc } from './payments-doc.ts'

/** The files that are written from the code, by path from the project's root; a test keeps them equal to it. */
export function generatedDocs(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/configuration.md', configuration()],
    ['docs/errors.md', errors()],
    ['docs/cli.md', cliDoc()],
    ['docs/dependencies.md', dependenciesDoc()],
    ['docs/payments.md', paymentsDoc()],
    ['.env.example', environmentExample()],
    ['deploy/kubernetes/monitoring/prometheus-rule.yaml', prometheusRule()],
  ])
}

function configuration(): string {
  const rows = SETTING_NOTES.map(
    ({ name, fallback, note }) => `| \`${name}\` | ${fallback ?? ''} | ${note} |`,
  )
  return `# Configuration

Environment variables only, read once at startup. Without any of \`PAY_TO\`, \`BASE_URL\`, \`FACILITATOR_URL\` and \`RPC_URL\`
the service is a **sandbox** on this machine; with one of them, or \`DATABASE_URL\`, it runs **live** and needs them all,
and either a \`DATA_DIR\` (one process) or a \`DATABASE_URL\` (replicas) with \`SECRET_KEY\`, \`CARD_KEY\` and \`RECEIPT_KEY\`.
A missing, contradictory or misspelt setting stops the start with one line that names it. A blank variable counts as
unset. Any setting can be read from a file: \`<NAME>_FILE\` names it. No setting serves a verdict unpaid.

| variable | default | what it does |
|---|---|---|
${rows.join('\n')}
`
}

function errors(): string {
  const entries = Object.entries(ERRORS).map(
    ([code, { status, title, detail }]) => `## ${code}\n\n${status} ${title}. ${detail}\n`,
  )
  return `# Errors

Every error has a stable code. REST answers with \`application/problem+json\` (RFC 9457) under the status given here; A2A
and MCP carry the same code in their own form. No error holds a piece of the request. An identifier that fails its
check is no error: it is a result with \`valid: false\`.

${entries.join('\n')}`
}

/** The alert rules as a resource of the Prometheus Operator. */
function prometheusRule(): string {
  const rules = readFileSync(new URL('../docs/alerts.yml', import.meta.url), 'utf8')
  const groups = rules.slice(rules.indexOf('groups:')).trimEnd().split('\n')
  return `# Written from docs/alerts.yml by \`node scripts/update-docs.ts\`.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: format-checker
spec:
${groups.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}
`
}

function environmentExample(): string {
  const lines = SETTING_NOTES.map(({ name, fallback, note }) => {
    const text = note.replaceAll('`', '')
    return `# ${text}\n# ${name}=${fallback ?? ''}\n`
  })
  return `# Every setting, as docs/configuration.md describes it. Without any the service is a sandbox.\n\n${lines.join('\n')}`
}
