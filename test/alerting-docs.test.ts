import { readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createMetrics } from '../src/app/monitoring/metrics.ts'
import { scrape } from '../src/app/monitoring/scrape.ts'

const read = (path: string) => readFileSync(new URL(`../docs/${path}`, import.meta.url), 'utf8')

interface Panel {
  readonly id: number
  readonly title: string
  readonly gridPos: { readonly x: number; readonly w: number }
  readonly targets: readonly { readonly expr: string }[]
}
interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

const panels = (JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] }).panels
const rules = (parseYaml(read('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)
const expressions = [
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
]

/** Every name and every value of a label a scrape can hold. */
let names: Set<string>
beforeAll(async () => {
  const metrics = createMetrics()
  metrics.saleCounted('rest', 'iban', 'sold')
  metrics.answered({ surface: 'rest', status: 200, ms: 1 })
  metrics.storeCalled({ kind: 'read', ms: 1, failed: false })
  const backlog = async () => ({
    claimed: 0,
    settling: 0,
    inDoubt: 0,
    unconfirmed: 0,
    refused: 0,
    inDoubtSince: null,
    auditMissing: 0,
    auditPending: 0,
  })
  const { body } = await scrape({ metrics, ledger: { backlog }, chainUp: () => true })
  names = new Set(body.split('\n').flatMap((line) => /^([a-z_0-9]+)[{ ]/.exec(line)?.[1] ?? []))
})

const metricsIn = (expression: string) =>
  expression.match(/\b(?:format_checker|nodejs|process)_[a-z0-9_]+/g) ?? []

describe('the dashboard and the alerts', () => {
  test.each(expressions)('%s asks for metrics there are', (title, expression) => {
    const asked = metricsIn(expression)
    if (title !== 'FormatCheckerDown') expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((name) => !names.has(name))).toEqual([])
  })

  test.each(expressions)('%s closes what it opens', (_title, expression) => {
    for (const [open, close] of ['()', '{}', '[]'])
      expect(expression.split(open ?? '').length).toBe(expression.split(close ?? '').length)
  })

  test('the panels fit beside each other and have ids of their own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  })

  test('each alert has a name of its own, a severity and a sentence, and stands in the operations page', () => {
    const page = read('operations.md')
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity)
      expect(annotations.summary).toMatch(/\.$/)
      expect(page).toContain(`\`${alert}\``)
    }
  })

  test('the operations page names every metric of ours', () => {
    const page = read('operations.md')
    const ours = [...names].filter((name) => name.startsWith('format_checker_'))
    for (const name of ours) {
      const base = name.replace('format_checker_', '').replace(/_(bucket|sum|count)$/, '')
      expect(page).toContain(`\`${base}\``)
    }
  })
})
