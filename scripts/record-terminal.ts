/**
 * docs/charts/terminal.svg, from a run: `node scripts/record-terminal.ts` starts the sandbox at its port, which must be free,
 * and buys two checks of it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { escaped, STYLE } from './chart.ts'

const ROOT = new URL('../', import.meta.url)
const COLUMNS = 56
const PRINTED = 80
const [ADVANCE, LINE, MARGIN] = [7.25, 17, 14]
/** Of what the start prints. */
const SHOWN = /SANDBOX|^ {2}(?:page|service) /
const BUYS = ['GB82 WEST 1234 5698 7654 32', 'DE89 3704 0O44 0532 0130 00'].map((value) => [
  'buy',
  'iban',
  value,
])

const dataDir = mkdtempSync(join(tmpdir(), 'format-checker-'))
const env = { ...process.env, DATA_DIR: dataDir, COLUMNS: String(PRINTED) }
const service = spawn('npm', ['start'], {
  cwd: ROOT,
  env,
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const started = ['$ npm start']
  for await (const line of createInterface(service.stdout)) {
    if (SHOWN.test(line)) started.push(line.trim())
    if (line.startsWith('first paid check')) break
  }
  const bought = BUYS.flatMap((args) => {
    const { stdout } = spawnSync(process.execPath, ['bin/format-checker.js', ...args], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
    })
    if (!stdout.includes('paid 0.001 USDC')) throw new Error(`nothing was bought: ${stdout}`)
    const [name, type, value] = args
    return [
      '',
      `$ npx --no -- format-checker ${name} ${type} "${value}"`,
      ...joined(stdout.trimEnd().split('\n')),
    ]
  })
  writeFileSync(new URL('docs/charts/terminal.svg', ROOT), drawing([...started, ...bought]))
} finally {
  const closed = once(service, 'close')
  process.kill(-(service.pid as number), 'SIGTERM')
  await closed
  rmSync(dataDir, { recursive: true })
}

/** The command breaks its lines for a wider terminal. */
function joined(lines: readonly string[]): readonly string[] {
  const whole: string[] = []
  let before = ''
  for (const line of lines) {
    const [word = ''] = line.split(' ')
    if (before.length + 1 + word.length > PRINTED) whole.push(`${whole.pop()} ${line}`)
    else whole.push(line)
    before = line
  }
  return whole
}

/** Breaks between words, and a word that is too long anywhere. */
function wrapped(line: string): readonly string[] {
  if (line.length <= COLUMNS) return [line]
  const space = line.lastIndexOf(' ', COLUMNS)
  const cut = space < COLUMNS / 2 ? COLUMNS : space
  return [line.slice(0, cut), ...wrapped(line.slice(cut).trimStart())]
}

/** Each line has its length, so that columns stay in any monospaced font. */
function drawing(said: readonly string[]): string {
  const lines = said.flatMap(wrapped)
  const width = Math.ceil(COLUMNS * ADVANCE) + 2 * MARGIN
  const height = lines.length * LINE + 2 * MARGIN
  const texts = lines.map((line, at) => {
    const kind = /^(?:\$|valid|invalid)/.test(line) ? 'b' : 't'
    const length = (line.length * ADVANCE).toFixed(1)
    return line === ''
      ? ''
      : `<text class="${kind}" x="${MARGIN}" y="${MARGIN + 12 + at * LINE}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${escaped(line)}</text>`
  })
  const style = STYLE.replace('</style>', 'text{font:12px ui-monospace,Menlo,Consolas,monospace}</style>')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${escaped(said.filter(Boolean).join('; '))}">
${style}
<rect class="box" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${texts.filter(Boolean).join('\n')}
</svg>
`
}
