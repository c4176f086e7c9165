import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ROOT } from '../support/command.ts'
import { LACKS } from '../support/platform.ts'
import { type ScratchDir, scratchDir, started, startProcess } from '../support/service-process.ts'
import { filesBelow } from '../support/traces.ts'

let scratch: ScratchDir
beforeEach(() => {
  scratch = scratchDir()
})
afterEach(() => scratch.remove())

const SECRET = randomBytes(32).toString('hex')

describe('a running service', () => {
  test('has no debugger to be started, and goes on when it is asked for one', async () => {
    const service = startProcess(scratch.path)
    const { url } = await started(service)
    for (let left = 3; left > 0; left--) {
      service.child.kill('SIGUSR1')
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    }
    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(service.stderr.join('\n')).not.toContain('Debugger')
  })

  test.skipIf(LACKS.proc)(
    'shows a secret neither in its arguments, nor in log, answers, metrics or files of others',
    async () => {
      const service = startProcess(scratch.path, {
        LOG_LEVEL: 'info',
        SECRET_KEY: SECRET,
        ADMIN_TOKEN: 'admin-token-of-this-test',
        DATA_DIR: join(scratch.path, 'data'),
      })
      const { url, facts } = await started(service)
      const [, admin = ''] = await service.line(/(http:\/\/127\.0\.0\.1:[0-9]+\/)$/)
      const texts = [
        readFileSync(`/proc/${service.child.pid}/cmdline`, 'utf8'),
        ...(await Promise.all(
          ['/status.json', '/', '/openapi.json', '/.well-known/jwks.json'].map(async (path) =>
            (await fetch(url + path)).text(),
          ),
        )),
        await (
          await fetch(`${admin}metrics`, { headers: { Authorization: 'Bearer admin-token-of-this-test' } })
        ).text(),
        await (await fetch(`${admin}metrics`, { headers: { Authorization: 'Bearer wrong' } })).text(),
      ]
      service.child.kill('SIGTERM')
      await service.ended
      const written = filesBelow(scratch.path).filter(
        ([path]) => !path.endsWith('.key') && !path.endsWith('.pem'),
      )
      const all = [
        ...texts,
        ...service.stdout,
        ...service.stderr,
        ...written.map(([, bytes]) => bytes.toString('latin1')),
      ]
      for (const secret of [
        SECRET,
        'admin-token-of-this-test',
        Buffer.from(SECRET, 'hex').toString('latin1'),
      ])
        expect(all.filter((text) => text.includes(secret))).toEqual([])
      expect(facts.payTo).toMatch(/^0x/)
    },
  )
})

test('the start of the package has the debugger off from the first moment on', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(scripts.start).toContain('--disable-sigusr1')
})
