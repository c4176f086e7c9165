/** Every alert rule, judged by Prometheus itself: what must provoke it does, and what comes close does not. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ALERT_RULES } from '../../scripts/alert-rules.ts'
import { ROOT } from '../support/command.ts'
import { scratchDir } from '../support/service-process.ts'
import { type AlertCase, FIRING, SILENT } from './alert-cases.ts'
import { needProgram } from './debian-program.ts'

const RULES = join(ROOT, 'docs/alerts.yml')
const scratch = scratchDir()
afterAll(scratch.remove)

function promtool(...args: readonly string[]): { readonly ok: boolean; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(needProgram('promtool', 'prometheus'), args, {
    encoding: 'utf8',
  })
  return { ok: status === 0, said: stdout + stderr }
}

const ruleOf = (alert: string) => {
  const rule = ALERT_RULES.find((each) => each.alert === `FormatChecker${alert}`)
  if (rule === undefined) throw new Error(`there is no alert ${alert}`)
  return rule
}

function judge({ alert, series, step = '1m', at, labels }: AlertCase, fires: boolean) {
  const { alert: alertname, severity, summary } = ruleOf(alert)
  const runbook = `docs/runbook.md#${alertname.toLowerCase()}`
  const firing = { exp_labels: { severity, ...labels }, exp_annotations: { summary, runbook } }
  const scenario = {
    interval: step,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [{ eval_time: at, alertname, exp_alerts: fires ? [firing] : [] }],
  }
  const file = join(scratch.path, 'case.json')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: step, tests: [scenario] }))
  return promtool('test', 'rules', file)
}

test('Prometheus takes the rules', () => {
  expect(promtool('check', 'rules', RULES)).toMatchObject({ ok: true })
})

test.each(FIRING.map((each) => [each.alert, each] as const))('%s fires when it should', (_, each) => {
  expect(judge(each, true)).toEqual({ ok: true, said: expect.stringContaining('SUCCESS') })
})

test.each(Object.entries(SILENT))('%s: no alert', (_, each) => {
  expect(judge(each, false)).toEqual({ ok: true, said: expect.stringContaining('SUCCESS') })
})
