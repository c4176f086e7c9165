/** The settings of one subject are a part: `config` makes it whole, and what opens it is the first to name a member. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { type LiveConfig, readConfig } from '../../src/config.ts'
import type { ChainReader } from '../../src/payments/chain/chain-reader.ts'
import type { ChannelParts } from '../../src/payments/channels/channels.ts'

const SRC = join(import.meta.dirname, '../../src')
const SELF = readConfig({
  ...{ PAY_TO: `0x${'12'.repeat(20)}`, BASE_URL: 'https://checks.example', DATA_DIR: '/data' },
  ...{ FACILITATOR_URL: 'self', RPC_URL: 'https://rpc.example', SETTLEMENT_KEY: `0x${'7'.repeat(64)}` },
  ...{ CHANNELS: 'on', RECEIVER_AUTHORIZER_KEY: `0x${'8'.repeat(64)}` },
}) as LiveConfig
const { kind: _, ...settlement } = SELF.facilitator
/** A network is whole in many rooms, beside payments and terms; its depth is for those alone that read blocks. */
const { network: __, ...chain } = SELF.chain
const FINALITY: keyof ChainReader = 'finalityDepth'
/** What the start opens of the settings, and only the channels open again. */
const OPENED: readonly (keyof ChannelParts)[] = ['authorizer', 'admits']

const { limits, keys, operator } = SELF.app
const PARTS: Readonly<Record<string, readonly string[]>> = {
  limits: Object.keys(limits),
  keys: Object.keys(keys),
  operator: Object.keys(operator),
  settlement: Object.keys(settlement),
  channels: [...Object.keys(SELF.channels as object), ...OPENED],
  chain: [...Object.keys(chain), FINALITY],
}

/** Files between `config` and the rooms that may name members of a part, since they open it. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  keys: [
    'app/keys/former-keys.ts',
    'app/keys/secret-key.ts',
    'app/keys/signing-keys.ts',
    'main/check-given-keys.ts',
  ],
  operator: ['main/serve.ts'],
  settlement: ['main/live/live-signer.ts', 'main/signer/serve-signer.ts'],
  channels: [
    'main/live/live-channels.ts',
    'main/live/live-facilitator.ts',
    'main/live/live-signer.ts',
    'main/sandbox/start-sandbox.ts',
    'main/signer/policy.ts',
    'main/signer/serve-signer.ts',
  ],
  chain: [
    'cli/doctor/node.ts',
    'main/live/live-chain.ts',
    'main/sandbox/start-sandbox.ts',
    'sandbox/chain/anvil-backend.ts',
  ],
  limits: ['main/listen.ts', 'main/live/note-machine.ts', 'cli/doctor/proxies.ts'],
}

function namesIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(namesIn)
  if (node === null || typeof node !== 'object') return []
  const { type, name, value } = node as Readonly<Record<string, unknown>>
  if (type === 'Identifier') return [String(name)]
  return type === 'Literal' ? [String(value)] : Object.values(node).flatMap(namesIn)
}

const namesOf = (text: string) => new Set(namesIn(parseAst(text, { lang: 'ts' }, 'file.ts').body))
const between = globSync(['app.ts', '{app,main,cli,sandbox}/**/*.ts'], { cwd: SRC })
  .map((path) => path.replaceAll('\\', '/'))
  .map((path) => ({ path, names: namesOf(readFileSync(join(SRC, path), 'utf8')) }))

test.each(Object.entries(OPENERS))('no file between names a member of %s', (part, openers) => {
  const members = PARTS[part] as readonly string[]
  const namers = between.filter(({ names }) => members.some((member) => names.has(member)))
  expect(members.length).toBeGreaterThan(1)
  expect(namers.map(({ path }) => path).sort()).toEqual([...openers].sort())
})

test.each([
  'open(config.app.limits.perMinute)',
  'const { perMinute } = limits',
  'open({ perMinute: 1 })',
  "type Some = Pick<Limits, 'perMinute'>",
  'interface Some { readonly perMinute: number }',
])('a member is named by: %s', (text) => {
  expect(namesOf(text).has('perMinute')).toBe(true)
})
