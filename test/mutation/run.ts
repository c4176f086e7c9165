/** `npm run mutate`: draws changes of the code at random and asks what notices them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { candidates, type Drawn, draw, followMoves, ROOT, SCOPE } from './draw.ts'
import { EQUIVALENT, failsUnchanged, type Kill, repeat, search } from './killers.ts'
import { openReach, type Reach } from './reach.ts'
import { figuresOf, linesOf } from './table.ts'
import { openTree } from './tree.ts'

const DEFAULTS = { seed: '1', count: '40', workers: '2', budget: '60' } as const
const HELP = `npm run mutate -- [options]

Draws changes of the code at random, and asks types, simulator and tests which of them they notice.

  --seed <n>       the sample; the same seed draws the same changes as long as their lines stay (${DEFAULTS.seed})
  --count <n>      how many changes are drawn (${DEFAULTS.count})
  --folder <list>  folders or files, with commas between them (what decides about money or verdicts)
  --workers <n>    copies of the project at a time (${DEFAULTS.workers})
  --budget <s>     seconds of tests that one change may cost, by the time they took when they were mapped (${DEFAULTS.budget})
  --remap          runs the tests once to see again which of them reach what
  --resume         takes what earlier runs of this seed saw as it is
  --again          the same, but looks again for what survived
  --fixed          tries the changes of fixed.json, each with what noticed it before
  --fix            writes those that were noticed to fixed.json
  --write          writes the figures of this sample for docs/evidence/proof.md
  --help           this text`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: DEFAULTS.seed },
    count: { type: 'string', default: DEFAULTS.count },
    folder: { type: 'string', default: SCOPE.join(',') },
    workers: { type: 'string', default: DEFAULTS.workers },
    budget: { type: 'string', default: DEFAULTS.budget },
    remap: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    fixed: { type: 'boolean', default: false },
    fix: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const FIXED = join(import.meta.dirname, 'fixed.json')
const FIGURES = join(import.meta.dirname, 'samples.json')
const KEPT = join(ROOT, `node_modules/.cache/mutants/seed-${values.seed}.json`)
/** Of the fixed mutants so many may have gone with the lines they change, before they must be drawn again. */
const MAY_BE_GONE = 10

const read = <T>(path: string, otherwise: T): T =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : otherwise
function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}

type Kills = Record<string, Kill | null>

/** Plants one after the other, in as many trees as there are workers. */
async function each(
  mutants: readonly Drawn[],
  ask: (tree: ReturnType<typeof openTree>, mutant: Drawn) => Promise<void>,
) {
  const queue = [...mutants]
  const work = async (number: number) => {
    const tree = openTree(number)
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      tree.plant(mutant)
      await ask(tree, mutant)
      tree.restore()
    }
    tree.remove()
  }
  await Promise.all(Array.from({ length: Number(values.workers) }, (_, number) => work(number)))
}

async function requireSound(kills: readonly Kill[]): Promise<void> {
  const tree = openTree(0)
  const failing = await failsUnchanged(tree, kills)
  tree.remove()
  if (failing !== null) throw new Error(`fails without any change: ${JSON.stringify(failing)}`)
}

async function runFixed(): Promise<void> {
  const all = candidates(SCOPE)
  const fixed = followMoves(read<Record<string, Kill>>(FIXED, {}), all)
  await requireSound(Object.values(fixed))
  const left = Object.keys(fixed).flatMap((key) => all.get(key) ?? [])
  const gone = Object.keys(fixed).length - left.length
  let survived = 0
  await each(left, async (tree, mutant) => {
    if ((await repeat(tree, fixed[mutant.key]!)) !== null) return
    survived += 1
    console.log(`SURVIVED ${JSON.stringify(fixed[mutant.key])}\n${mutant.diff}`)
  })
  console.log(
    `${left.length - survived} of ${left.length} noticed as before; ${gone} have gone with their lines`,
  )
  if (survived > 0) process.exitCode = 1
  if (gone > MAY_BE_GONE) {
    console.log('Draw them again: npm run mutate -- --seed 1 --count 100 --fix')
    process.exitCode = 1
  }
}

async function runSample(): Promise<void> {
  const reach: Reach = await openReach(values.remap, Number(values.budget) * 1_000)
  const folders = values.folder.split(',')
  const drawn = draw(folders, values.seed, Number(values.count))
  const equivalent = followMoves(EQUIVALENT, candidates(folders))
  await requireSound([])
  const kills: Kills = values.resume || values.again ? read<Kills>(KEPT, {}) : {}
  const ask = drawn.filter(({ key }) => {
    const known = values.again ? (kills[key] ?? undefined) : kills[key]
    return known === undefined && equivalent[key] === undefined
  })
  let done = 0
  await each(ask, async (tree, mutant) => {
    const kill = await search(tree, mutant, reach)
    kills[mutant.key] = kill
    done += 1
    const place = mutant.diff.split('\n')[0]
    console.log(`${done}/${ask.length} ${kill === null ? 'SURVIVED' : kill.by} ${place} ${kill?.found ?? ''}`)
    write(KEPT, kills)
  })
  const survivors = drawn.filter(({ key }) => (kills[key] ?? null) === null && equivalent[key] === undefined)
  for (const { diff } of survivors) console.log(`\n${diff}`)
  const figures = figuresOf(drawn, kills, equivalent)
  console.log(
    `\n${linesOf(figures)
      .map((cells) => cells.join(' | '))
      .join('\n')}`,
  )
  if (values.write) write(FIGURES, { ...read(FIGURES, {}), [values.seed]: figures })
  if (values.fix) {
    const noticed = drawn.filter(({ key }) => /^(?:simulation|tests)$/.test(kills[key]?.by ?? ''))
    write(FIXED, Object.fromEntries(noticed.slice(0, 40).map(({ key }) => [key, kills[key]])))
  }
}

if (values.help) console.log(HELP)
else await (values.fixed ? runFixed() : runSample())
