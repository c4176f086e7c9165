import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../support/command.ts'
import { freePort } from '../support/ports.ts'
import type { ProxyProgram } from './proxy-configs.ts'

export interface RunningProxy {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a proxy in front of a service on this machine and waits until requests pass through it. */
export async function startProxy(proxy: ProxyProgram, target: number): Promise<RunningProxy> {
  if (!existsSync(proxy.program)) {
    throw new Error(`these tests need ${proxy.program}: install the package "${proxy.package}"`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'format-checker-proxy-'))
  mkdirSync(join(folder, 'logs'))
  const route = { port: await freePort(), target, folder }
  if (proxy.http2) selfSigned(folder)
  writeFileSync(join(folder, 'config'), proxy.config(route))
  const running = run(proxy.args(route), { program: proxy.program, group: true, env: { HOME: folder } })
  const end = (signal: NodeJS.Signals) => {
    if (running.child.exitCode === null && running.child.pid !== undefined) {
      process.kill(-running.child.pid, signal)
    }
  }
  const killAtExit = () => end('SIGKILL')
  process.once('exit', killAtExit)
  let ended = false
  void running.ended.then(() => {
    ended = true
  })
  while (!(await listens(route.port))) {
    if (ended) throw new Error(`${proxy.name} ended: ${running.stderr.join('\n')}`)
    await sleep(20)
  }
  return {
    url: `${proxy.http2 ? 'https' : 'http'}://127.0.0.1:${route.port}`,
    stop: async () => {
      process.off('exit', killAtExit)
      end('SIGKILL')
      await running.ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function selfSigned(folder: string): void {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')]
  execFileSync('openssl', [...request, ...files, '-days', '2', '-subj', '/CN=127.0.0.1'], { stdio: 'ignore' })
}
