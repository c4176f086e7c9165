import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT, run } from '../support/command.ts'
import { freePort } from '../support/ports.ts'
import { scratchDir } from '../support/service-process.ts'
import { needProgram } from './debian-program.ts'

export interface RunningPrometheus {
  /** Names of the alerts that fire now. */
  firing(): Promise<readonly string[]>
  /** The values of an expression now; empty without a series. */
  query(expression: string): Promise<readonly number[]>
  stop(): Promise<void>
}

interface Reply {
  readonly data: {
    readonly alerts: readonly { readonly state: string; readonly labels: { readonly alertname: string } }[]
    readonly result: readonly { readonly value: readonly [number, string] }[]
  }
}

/** Starts Prometheus with the shipped rules, which fire at once instead of after minutes, and lets it scrape a port. */
export async function startPrometheus(target: {
  readonly port: number
  readonly token: string
}): Promise<RunningPrometheus> {
  const scratch = scratchDir()
  const port = await freePort()
  const rules = readFileSync(join(ROOT, 'docs/alerts.yml'), 'utf8')
  writeFileSync(join(scratch.path, 'alerts.yml'), rules.replaceAll(/for: \d+[mh]/g, 'for: 1s'))
  const job = {
    job_name: 'format-checker',
    authorization: { credentials: target.token },
    static_configs: [{ targets: [`127.0.0.1:${target.port}`] }],
  }
  const every = { scrape_interval: '1s', evaluation_interval: '1s' }
  const config = { global: every, rule_files: ['alerts.yml'], scrape_configs: [job] }
  // JSON is YAML.
  writeFileSync(join(scratch.path, 'prometheus.yml'), JSON.stringify(config))
  const running = run(
    [
      `--config.file=${join(scratch.path, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(scratch.path, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { program: needProgram('prometheus', 'prometheus'), group: true },
  )
  const end = () => {
    if (running.child.exitCode === null && running.child.pid !== undefined)
      process.kill(-running.child.pid, 'SIGKILL')
  }
  process.once('exit', end)
  let ended = false
  void running.ended.then(() => {
    ended = true
  })
  const ask = async (path: string) => (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as Reply
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await ready())) {
    if (ended) throw new Error(`prometheus ended: ${running.stderr.join('\n')}`)
    await sleep(50)
  }
  return {
    firing: async () =>
      (await ask('/api/v1/alerts')).data.alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels }) => labels.alertname),
    query: async (expression) =>
      (await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`)).data.result.map(({ value }) =>
        Number(value[1]),
      ),
    stop: async () => {
      process.off('exit', end)
      end()
      await running.ended
      scratch.remove()
    },
  }
}
