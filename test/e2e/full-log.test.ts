import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT, run } from '../support/command.ts'
import { LACKS } from '../support/platform.ts'
import { freePort } from '../support/ports.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'

/** Live mode starts without facilitator and node, and says so in its log. */
const UNREACHABLE = {
  PAY_TO: '0x8ba1f109551bd432803012645ac136ddd64dba72',
  FACILITATOR_URL: 'http://127.0.0.1:9',
  RPC_URL: 'http://127.0.0.1:9',
}

let scratch: ScratchDir
beforeEach(() => {
  scratch = scratchDir()
})
afterEach(() => scratch.remove())

test.skipIf(LACKS.fullDevice)(
  'with its log on a full disk the service serves, and SIGTERM ends it in order',
  async () => {
    const port = await freePort()
    const main = `"${process.execPath}" "${join(ROOT, 'src/main.ts')}"`
    const { child, ended, stderr } = run(['-c', `exec ${main} > /dev/full`], {
      program: '/bin/sh',
      env: {
        ...UNREACHABLE,
        PORT: String(port),
        BASE_URL: `http://127.0.0.1:${port}`,
        DATA_DIR: join(scratch.path, 'data'),
        SHUTDOWN_DELAY: '0',
      },
    })
    let over = false
    void ended.then(() => {
      over = true
    })
    const status = async () => {
      if (over) throw new Error(`the service ended:\n${stderr.join('\n')}`)
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) })
      return answer.status
    }
    try {
      await expect.poll(status, { timeout: 30_000 }).toBe(200)
      // Each is a line that cannot be written.
      for (let count = 0; count < 20; count += 1) expect(await status()).toBe(200)
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
      expect(await ended).toEqual({ code: 0, signal: null })
      clearTimeout(late)
    } finally {
      child.kill('SIGKILL')
    }
  },
)
