// What npm runs before it starts the service, and with "instead" on the user's own Node where the one in node_modules does not
// run. Plain CommonJS, for any Node.
const { spawnSync } = require('node:child_process')
const { readFileSync, rmSync } = require('node:fs')
const { join } = require('node:path')

const OWN = process.versions.node
const [oldestMajor, oldestMinor] = JSON.parse(
  readFileSync(join(__dirname, '../package.json'), 'utf8'),
).engines.node.match(/\d+/g)
const [major, minor] = OWN.split('.').map(Number)
const isNew = major > oldestMajor || (major === Number(oldestMajor) && minor >= oldestMinor)
const needed = `Node ${oldestMajor}.${oldestMinor} or newer`

process.exitCode =
  process.argv[2] === 'instead'
    ? useOwn()
    : isNew
      ? 0
      : say(`format-checker needs ${needed}, and this is ${OWN}; "npm ci" without --omit=dev brings one`, 1)

function say(line, code) {
  console.error(line)
  return code
}

/** Takes the Node of node_modules away, so that each command of npm finds the user's. */
function useOwn() {
  // npm puts node_modules/.bin first on PATH.
  const { status, stderr, error } = spawnSync('node', ['-e', '0'], { encoding: 'utf8' })
  // It runs, and has said what is wrong.
  if (status === 0) return 1
  const why = `the Node of node_modules does not run here (${error ? error.code : stderr.trim().split('\n')[0]})`
  if (!isNew)
    return say(`${why}, and yours is ${OWN}: install what it misses (Debian: libatomic1), or ${needed}`, 1)
  try {
    rmSync(join(__dirname, '../node_modules/.bin/node'))
    return say(`${why}; yours, ${OWN}, is used`, 0)
  } catch (fault) {
    return say(
      `${why}, and node_modules/.bin/node cannot be removed (${fault.code}): remove it, to use yours`,
      1,
    )
  }
}
