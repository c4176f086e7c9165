/** The rows of the conformance suite that need no other program. */
import { afterAll, beforeAll, test } from 'vitest'
import { doorTrials } from '../conformance/doors/doors.ts'
import type { Target } from '../conformance/target.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'

let service: TestService
let target: Target
beforeAll(async () => {
  service = await startTestService()
  const { url, sandbox } = service
  target = { origin: url, url: `${url}/mcp`, privateKey: sandbox.buyer.privateKey, stop: service.stop }
})
afterAll(() => service.stop())

test.each(doorTrials.map(({ name, run }) => [name, run] as const))('%s', (_, run) => run(target))
