/**
 * A Mac has one loopback address. A network namespace with 127.0.0.1/32 alone is such a machine; where the system grants none,
 * the test is skipped, and counted so.
 */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { CLI, MAIN, outcomeOf, processesNaming, run } from '../support/command.ts'
import { scratchDir } from '../support/service-process.ts'

const NAMESPACE = ['--map-root-user', '--net', 'sh', '-c']
const ONE_ADDRESS = 'ip link set lo up && ip addr del 127.0.0.1/8 dev lo && ip addr add 127.0.0.1/32 dev lo'
const isGranted = spawnSync('unshare', [...NAMESPACE, ONE_ADDRESS]).status === 0

test.skipIf(!isGranted)('with 127.0.0.1 alone the sandbox starts, sells and leaves nothing', async () => {
  const scratch = scratchDir()
  const service = run([...NAMESPACE, `${ONE_ADDRESS} && exec "$0" "$1"`, process.execPath, MAIN], {
    program: 'unshare',
    env: { PORT: '0', TMPDIR: scratch.path, LOG_LEVEL: 'warn' },
  })
  const [, url = ''] = await service.line(/^ {2}service +(\S+)$/)
  await service.line(/^ {2}chain +eip155:8453, anvil at http:\/\/127\.0\.0\.1:\d+$/)
  await service.line(/^first paid check: iban valid GB/)

  const inside = [
    '--target',
    `${service.child.pid}`,
    '--user',
    '--net',
    '--preserve-credentials',
    process.execPath,
  ]
  const buy = ['buy', 'iban', 'DE89 3704 0044 0532 0130 00', '--url', url]
  const bought = await outcomeOf([...inside, CLI, ...buy], { program: 'nsenter' })
  expect(bought).toMatchObject({ code: 0, stderr: [] })
  expect(bought.stdout).toContain('paid 0.001 USDC')

  service.child.kill('SIGTERM')
  expect(await service.ended).toEqual({ code: 0, signal: null })
  expect(service.stderr).toEqual([])
  await expect.poll(() => processesNaming(scratch.path)).toEqual([])
  scratch.remove()
})
