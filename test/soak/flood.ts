import type { FuzzInput } from '../fuzz/input.ts'
import type { TestTarget } from '../fuzz/target.ts'
import { openPipe } from '../fuzz/wire.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const BATCH = 16
const BODIES: readonly (readonly [path: string, body: string])[] = [
  ['/api/validate/iban', '{"value":"DE89370400440532013000"}'],
  ['/api/validate/email', '{"value":'],
  [
    '/a2a',
    '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"help"}]}}}',
  ],
  [
    '/mcp',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"validate_iban","arguments":{"value":"DE89370400440532013000"}}}',
  ],
]

/** Sends unpaid and bad requests from twenty addresses until told to stop; answers how many, and with what. */
export async function keepFlooding(
  target: TestTarget,
  options: { readonly seed: number; readonly pauseMs: number; readonly isOver: () => boolean },
): Promise<Record<string, number>> {
  const random = new SeededRandom(options.seed)
  const pipe = openPipe(target.port)
  const statuses: Record<string, number> = {}
  while (!options.isOver()) {
    const inputs = Array.from({ length: BATCH }, () => inputOf(target.host, random))
    for (const { answer } of await pipe.send(inputs)) {
      const status = answer?.status ?? 'none'
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    await new Promise((resolve) => setTimeout(resolve, options.pauseMs))
  }
  pipe.close()
  return statuses
}

function inputOf(host: string, random: SeededRandom): FuzzInput {
  const [path, body] = random.pick(BODIES)
  const from = `X-Forwarded-For: 198.51.100.${random.int(20)}`
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${from}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return {
    kind: 'flood',
    bytes: Buffer.from(head + body),
    framed: true,
    method: 'POST',
    port: 'public',
    surface: 'free',
  }
}
