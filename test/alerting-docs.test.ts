import { readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ALERT_RULES } from '../scripts/alert-rules.ts'
import { createMetrics } from '../src/app/monitoring/metrics.ts'
import { scrape } from '../src/app/monitoring/scrape.ts'
import { BASE } from '../src/payments/networks/base.ts'
import { PAYMENT_TROUBLES } from '../src/surfaces/site/status/status.ts'
import { FIRING } from './monitoring/alert-cases.ts'
import { channelTotals } from './support/channel-totals.ts'
import { NO_BACKLOG } from './support/no-backlog.ts'

const read = (path: string) => readFileSync(new URL(`../docs/${path}`, import.meta.url), 'utf8')

interface Panel {
  readonly id: number
  readonly title: string
  readonly gridPos: { readonly x: number; readonly w: number }
  readonly targets: readonly { readonly expr: string }[]
}
interface PublishedRule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

const panels = (JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] }).panels
const published = (parseYaml(read('alerts.yml')) as { groups: { rules: PublishedRule[] }[] }).groups.flatMap(
  ({ rules }) => rules,
)
const expressions = [
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...published.map(({ alert, expr }) => [alert, expr] as const),
]

/** Headings as a reader's link finds them. */
const anchorsIn = (page: string) =>
  new Set(
    [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  )

const SUMS = {
  earned: 1n,
  spent: 1n,
  gas: 1n,
  sales: 1n,
  reserved: 1n,
  lost: 1n,
  credit: 1n,
  overrun: 1n,
}

/** Every name and every value of a label a scrape can hold. */
let names: Set<string>
const labelsOf = new Map<string, readonly string[]>()
beforeAll(async () => {
  const metrics = createMetrics()
  metrics.saleCounted('rest', 'iban', 'sold')
  metrics.answered({ surface: 'rest', status: 200, ms: 1 })
  metrics.storeCalled({ kind: 'read', ms: 1, failed: false })
  const load = { waiting: () => 0, connections: () => ({ open: 1, used: 0 }) }
  const { body } = await scrape({
    metrics,
    ledger: {
      backlog: async () => NO_BACKLOG,
      load,
      channelTotals: async () => channelTotals(),
      treasury: async () => [{ day: '1970-01-01', ...SUMS }],
    },
    channels: { claimedWithoutRow: () => 0n },
    networks: [
      {
        network: BASE,
        chainUp: () => true,
        scanBehind: async () => 0,
        troubles: () => [],
        gauges: () => ({
          settlementsLeft: 1,
          settlementsPending: 0,
          gasPerSale: 1,
          settlementBatches: new Map([[3, 1]]),
          clockAheadSeconds: 0,
        }),
      },
    ],
    troubles: async () => [],
    now: () => 0,
  })
  names = new Set(body.split('\n').flatMap((line) => /^([a-z_0-9]+)[{ ]/.exec(line)?.[1] ?? []))
  for (const [, name = '', labels = ''] of body.matchAll(/^format_checker_([a-z_0-9]+)\{([^}]*)\}/gm)) {
    const found = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
    labelsOf.set(
      name.replace(/_(bucket|sum|count)$/, ''),
      found.filter((label) => label !== 'le'),
    )
  }
})

const metricsIn = (expression: string) =>
  expression.match(/\b(?:format_checker|nodejs|process)_[a-z0-9_]+/g) ?? []

describe('the dashboard and the alerts', () => {
  test.each(expressions)('%s asks for metrics there are', (title, expression) => {
    const asked = metricsIn(expression)
    // Only the alert on a service that is gone asks for a metric of Prometheus itself.
    expect(asked.length === 0).toBe(title === 'FormatCheckerDown')
    expect(asked.filter((name) => !names.has(name))).toEqual([])
  })

  test('the panels fit beside each other and have ids of their own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  })

  test('the published rules are those of the table', () => {
    expect(published.map(({ alert }) => alert)).toEqual(ALERT_RULES.map(({ alert }) => alert))
    expect(new Set(ALERT_RULES.map(({ alert }) => alert)).size).toBe(ALERT_RULES.length)
  })

  test.each(PAYMENT_TROUBLES)('the reason %s has one alert', (reason) => {
    const naming = ALERT_RULES.filter(({ expr }) => expr.includes(`payment_trouble{reason="${reason}"}`))
    expect(naming).toHaveLength(1)
  })

  test.each(published)('$alert has a severity, a sentence and a section of the runbook', (rule) => {
    const { labels, annotations } = rule
    expect(['page', 'ticket']).toContain(labels.severity)
    expect(annotations.summary).toMatch(/\.$/)
    const [page, anchor = ''] = annotations.runbook.split('#')
    expect(page).toBe('docs/runbook.md')
    expect([...anchorsIn('runbook.md')], `docs/runbook.md needs a section "### ${rule.alert}"`).toContain(
      anchor,
    )
    const [, section = ''] = read('runbook.md').split(`### ${rule.alert}\n`)
    const severity = labels.severity === 'page' ? /^Page[.,]/ : /^Ticket[.,]/
    expect(section.trim(), 'a section begins with its severity').toMatch(severity)
  })

  test('the runbook has no section for an alert that does not exist', () => {
    const sections = [...read('runbook.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    expect(sections.toSorted()).toEqual(ALERT_RULES.map(({ alert }) => alert).toSorted())
  })

  test.each(['runbook.md', 'operations.md'])('every link of %s to a heading finds it', (page) => {
    const links = [...read(page).matchAll(/\]\(([\w-]+\.md)?#([\w-]+)\)/g)]
    expect(links.length).toBeGreaterThan(0)
    for (const [, file = page, anchor = ''] of links) expect(anchorsIn(file)).toContain(anchor)
  })

  const ours = () => [
    ...new Set(
      [...names]
        .filter((name) => name.startsWith('format_checker_'))
        .map((name) => name.replace(/_(bucket|sum|count)$/, '')),
    ),
  ]

  test('the page of metrics names every metric of ours', () => {
    const rows = read('evidence/metrics.md')
    const unnamed = ours().filter((name) => !rows.includes(`\`${name.replace('format_checker_', '')}\``))
    expect(unnamed, 'each needs a row in the table of docs/evidence/metrics.md').toEqual([])
  })

  test('the page of metrics names the labels of each', () => {
    const told = [...read('evidence/metrics.md').matchAll(/^\| (`[a-z_`, ]+`) \| ([a-z, ]*)\| /gm)].flatMap(
      ([, metrics = '', labels = '']) =>
        [...metrics.matchAll(/\w+/g)].map(
          ([name]) =>
            [
              name,
              labels
                .trim()
                .split(', ')
                .filter((label) => label !== ''),
            ] as const,
        ),
    )
    const missing = told.filter(([name, labels]) => labels.join() !== (labelsOf.get(name) ?? labels).join())
    expect(missing).toEqual([])
    expect(labelsOf.size).toBeGreaterThan(15)
    expect([...labelsOf.keys()].filter((name) => !told.some(([each]) => each === name))).toEqual([])
  })

  test('every metric of ours is in a panel or an alert', () => {
    const asked = expressions.map(([, expression]) => expression).join(' ')
    const unused = ours().filter((name) => !asked.includes(name))
    expect(unused, 'each needs a panel in docs/grafana-dashboard.json, or an alert').toEqual([])
  })

  test('every alert has a case that provokes it', () => {
    const cases = FIRING.map(({ alert }) => `FormatChecker${alert}`)
    const expected = ALERT_RULES.map(({ alert }) => alert).toSorted()
    expect(cases.toSorted(), 'test/monitoring/alert-cases.ts has one for each alert').toEqual(expected)
  })
})
