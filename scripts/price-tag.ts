/**
 * What each feature costs: lines of code in src, in tests, in bench, model and scripts, and words of its documents, in steps
 * of 50, so that a feature which grows shows up in the diff of its change. `npm run check` runs it; `--write` writes the table.
 *
 * A file of src belongs to a feature if its path says so, or if nothing but the feature reaches it from an entry point; any
 * other file by its path, or if it imports files of that feature alone. All else is shared.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moduleOf } from './checks-entries.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const TABLE = join(ROOT, 'scripts/price-tag.json')
const STEP = 50
const HEAD = 'src tests bench words'.split(' ')

/** The paths of each feature, and its documents; of two that match, the earlier has the file. */
const FEATURES: Readonly<Record<string, readonly [paths: RegExp, documents: string]>> = {
  channels: [/channel/, 'channels evidence/faults-channels'],
  'text orders': [/a2a\/text/, ''],
  signer: [/signer|signing/, ''],
  'own settlement': [/facilitators\/self|treasury|settlement-queue/, 'evidence/gas'],
  lists: [/(?:^|\/)lists?[/.-]|workbook/, 'lists'],
  receipts: [/receipts?\/|command\/(?:src|test)\/verify/, 'receipts'],
  sandbox: [/sandbox/, 'try-it'],
  PostgreSQL: [/postgres/, ''],
  "operator's view": [/surfaces\/admin/, ''],
  site: [/surfaces\/site|test\/browser/, ''],
  MCP: [/\/mcp/, ''],
  A2A: [/surfaces\/a2a/, 'a2a'],
  REST: [/surfaces\/rest/, 'paying-by-hand'],
  documents: [/surfaces\/documents/, ''],
  image: [/test\/image|slim-modules|bundle/, ''],
  'single sale': [
    /payments\/(?:sale|recovery|authorization|ports)|ledger\/payments/,
    'evidence/faults evidence/sale-states',
  ],
  checks: [
    /(?:packages|bench)\/checks|test\/vectors/,
    'correctness evidence/hints evidence/peer-differences',
  ],
  'proof and evidence': [
    /^model\/|test\/(?:model|simulation|mutation|power-cuts|fuzz|soak|conformance)\/|^bench\//,
    'evidence/proof evidence/attacks evidence/performance evidence/profiles evidence/stock evidence/clients-tested',
  ],
}

const files = globSync(['{src,packages,test,bench,model,scripts,bin}/**/*.{ts,js}'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
})
const ofChecks = (specifier: string): string | undefined => {
  const module = moduleOf(specifier)
  return module && `packages/checks/src/${module}`
}
const text = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))
const imports = new Map(
  [...text].map(([file, code]) => [
    file,
    [...code.matchAll(/(?:from\s*|import\s*\(?\s*)['"]([^'"]+)['"]/g)]
      .map(([, path = '']) => ofChecks(path) ?? normalize(join(dirname(file), path)))
      .filter((path) => text.has(path)),
  ]),
)

const isSource = (file: string) => /^src\/|^packages\/[^/]+\/src\//.test(file)
const isTest = (file: string) => /^test\/|^packages\/[^/]+\/test\//.test(file)
const isEntry = (file: string) =>
  /^src\/(?:main|cli)\.ts$|^packages\/command\/src\/cli\.ts$|^src\/surfaces\/\w+\/assets\/.*\.js$|^scripts\//.test(
    file,
  )
const named = (file: string) => Object.keys(FEATURES).find((name) => FEATURES[name]![0].test(file))

/** What the entry points reach without these files. */
function reached(without: (file: string) => boolean): ReadonlySet<string> {
  const seen = new Set<string>()
  const open = files.filter(isEntry)
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || without(file)) continue
    seen.add(file)
    open.push(...(imports.get(file) ?? []))
  }
  return seen
}

const sources = files.filter(isSource)
const all = reached(() => false)
const owner = new Map(sources.map((file) => [file, named(file)]))
for (const name of Object.keys(FEATURES)) {
  const left = reached((file) => isSource(file) && named(file) === name)
  for (const file of sources)
    if (owner.get(file) === undefined && all.has(file) && !left.has(file)) owner.set(file, name)
}
const ownerOf = (file: string): string => {
  if (isSource(file)) return owner.get(file) ?? 'shared'
  const asked = new Set((imports.get(file) ?? []).flatMap((path) => owner.get(path) ?? []))
  return named(file) ?? (asked.size === 1 ? [...asked].join() : 'shared')
}

const lines = (code: string) =>
  code.replaceAll(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, '').match(/^.*\S/gm)?.length ?? 0
const table: Record<string, number[]> = {}
const count = (name: string, at: number, more: number) => {
  table[name] ??= HEAD.map(() => 0)
  table[name][at] = table[name][at]! + more
}
for (const file of files)
  count(ownerOf(file), isSource(file) ? 0 : isTest(file) ? 1 : 2, lines(text.get(file) ?? ''))
for (const [name, [, documents]] of Object.entries(FEATURES))
  for (const page of documents.split(' ').filter(Boolean))
    count(name, 3, readFileSync(join(ROOT, `docs/${page}.md`), 'utf8').match(/[A-Za-z'’]+/g)?.length ?? 0)

const rows = [...Object.keys(FEATURES), 'shared'].map((name) => {
  const cells = table[name]?.map((sum, at) => `"${HEAD[at]}": ${Math.round(sum / STEP) * STEP}`) ?? []
  return `  ${JSON.stringify(name)}: { ${cells.join(', ')} }`
})
const written = `{\n${rows.join(',\n')}\n}\n`
if (process.argv.includes('--write')) writeFileSync(TABLE, written)
else if (readFileSync(TABLE, 'utf8') !== written) {
  console.error('the price of a feature has changed: node scripts/price-tag.ts --write, and look at its diff')
  process.exit(1)
}
