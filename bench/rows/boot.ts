/** How long a start takes: of the live service until it is ready, of the sandbox until its first sale is made. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { RowPlan } from '../bench.ts'
import { median } from '../median.ts'
import { SERVER_CORE } from '../processes.ts'
import { bundleImage, startOurs } from '../servers/our-service.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export const boot: RowPlan = {
  id: 'boot',
  async run({ world, effort }) {
    const live: number[] = []
    const image: number[] = []
    const program = bundleImage()
    const sandbox: number[] = []
    for (let round = 0; round < effort.rounds; round++) {
      for (const [times, options] of [
        [live, {}],
        [image, { program }],
      ] as const) {
        const ours = await startOurs(world, options)
        times.push(ours.bootMs)
        await ours.stop()
      }
      sandbox.push(await startSandbox())
    }
    const seconds = (times: readonly number[]) => median(times) / 1000
    return [
      {
        id: 'boot',
        work: 'start of the process to ready',
        figures: [
          { name: 'image, live', other: `${seconds(image).toFixed(2)} s` },
          { name: 'npm start, live', other: `${seconds(live).toFixed(2)} s` },
          { name: 'sandbox, first sale made', other: `${seconds(sandbox).toFixed(2)} s` },
        ],
        claims: [
          { what: 'seconds, image', value: seconds(image), target: 0.6, side: 'at most' },
          { what: 'seconds, npm start', value: seconds(live), target: 1, side: 'at most' },
          { what: 'seconds, sandbox', value: seconds(sandbox), target: 3, side: 'at most' },
        ],
      },
    ]
  },
}

/** Milliseconds until the sandbox says that its first paid check is bought. */
async function startSandbox(): Promise<number> {
  const begun = performance.now()
  const child = spawn('taskset', ['-c', String(SERVER_CORE), process.execPath, '--no-warnings', MAIN], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('first paid check')) break
  }
  const time = performance.now() - begun
  process.off('exit', end)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  end()
  await ended
  return time
}
