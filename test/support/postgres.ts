import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from './ports.ts'

/** A PostgreSQL server of the tests' own, whose life they may end. */
export interface PostgresServer {
  /** The address of one of its databases. */
  urlOf(database: string): string
  /** Makes an empty database and gives its address. */
  freshDatabase(): Promise<string>
  /** Ends the server as a crash would. */
  kill(): Promise<void>
  /** Ends it as an operator would, sessions included. */
  stop(): Promise<void>
  /** Starts it again, on the same port and data. */
  start(): Promise<void>
  /** Starts a standby that copies it from here on; it is a server of its own, which takes reads only. */
  standby(): Promise<PostgresServer>
  /** Makes a standby take writes. */
  promote(): Promise<void>
  /** Its port on loopback. */
  readonly port: number
  /** Its data directory. */
  readonly directory: string
  /** Ends it and removes its data. */
  remove(): Promise<void>
}

/** `nobody`: the server refuses to run as root. */
const UNPRIVILEGED = 65_534
const KEEPER = join(import.meta.dirname, 'postgres-keeper.sh')
const ATTEMPTS = 50

/** Starts a throw-away server from the installed binaries; throws where there are none. */
export async function startPostgres(
  options: {
    readonly settings?: Readonly<Record<string, string>>
    /** Largest file the server may write, in bytes, as on a full disk. */
    readonly largestFile?: number
    /** Files with which it offers TLS. */
    readonly certificate?: { readonly key: string; readonly certificate: string }
    /** The server to copy, and its password. */
    readonly copyOf?: { readonly server: PostgresServer; readonly password: string }
  } = {},
): Promise<PostgresServer> {
  const bin = serverBinaries()
  const home = mkdtempSync(join(tmpdir(), 'format-checker-postgres-'))
  const data = join(home, 'data')
  const password = options.copyOf?.password ?? randomBytes(12).toString('hex')
  const asServer = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}
  if ('uid' in asServer) chownSync(home, UNPRIVILEGED, UNPRIVILEGED)
  writeFileSync(join(home, 'password'), password)
  chmodSync(join(home, 'password'), 0o644)
  if (options.copyOf === undefined) initialize()
  else copy(options.copyOf.server)
  // The server's user may be unable to enter the checkout: a home directory is often closed to others.
  const keeperScript = join(home, 'keeper.sh')
  copyFileSync(KEEPER, keeperScript)
  chmodSync(keeperScript, 0o755)
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: '60',
    shared_buffers: '16MB',
    ...(options.certificate === undefined ? {} : offerTls(options.certificate)),
    ...options.settings,
  }
  function initialize() {
    execFileSync(
      join(bin, 'initdb'),
      [
        ...['-D', data, '-U', 'tester', '--pwfile', join(home, 'password'), '-A', 'scram-sha-256'],
        ...['--no-sync', '--wal-segsize', '1', '-E', 'UTF8', '--no-locale'],
      ],
      { ...asServer, cwd: home, stdio: ['ignore', 'ignore', 'inherit'] },
    )
  }
  /** `-R` makes the copy a standby of the server it was taken from. */
  function copy(server: PostgresServer) {
    execFileSync(
      join(bin, 'pg_basebackup'),
      ['-D', data, '-d', server.urlOf('postgres'), '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
      { ...asServer, cwd: home, stdio: ['ignore', 'ignore', 'inherit'] },
    )
  }
  function offerTls({ key, certificate }: { readonly key: string; readonly certificate: string }) {
    copyFileSync(certificate, join(data, 'server.crt'))
    copyFileSync(key, join(data, 'server.key'))
    chmodSync(join(data, 'server.key'), 0o600)
    if ('uid' in asServer) chownSync(join(data, 'server.key'), UNPRIVILEGED, UNPRIVILEGED)
    return { ssl: 'on' }
  }
  const urlOf = (database: string) => `postgres://tester:${password}@127.0.0.1:${port}/${database}`
  let keeper: ChildProcess | null = null

  const start = async () => {
    const server = [join(bin, 'postgres'), '-D', data]
    for (const [name, value] of Object.entries(settings)) server.push('-c', `${name}=${value}`)
    const limited = options.largestFile === undefined ? [] : ['prlimit', `--fsize=${options.largestFile}`]
    // A killed server's sessions hold its memory for a moment, and a new one will not start before they are gone.
    let said = ''
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const child = spawn('/bin/sh', [keeperScript, home, ...limited, ...server], {
        ...asServer,
        cwd: home,
        stdio: ['pipe', 'ignore', 'pipe'],
      })
      keeper = child
      said = ''
      child.stderr.on('data', (chunk) => {
        said = `${said}${chunk}`.slice(-2_000)
      })
      while (child.exitCode === null && child.signalCode === null) {
        if (await answers(urlOf('postgres'))) return
        await sleep(20)
      }
    }
    throw new Error(`the PostgreSQL server in ${home} does not start: ${said}`)
  }
  const end = async (signal: NodeJS.Signals) => {
    const child = keeper
    if (child === null) return
    keeper = null
    const ended = child.exitCode === null ? once(child, 'exit') : null
    const server = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    if (signal === 'SIGKILL') killSessions(server)
    process.kill(server, signal)
    await ended
  }

  await start()
  const server: PostgresServer = {
    urlOf,
    freshDatabase: () => freshDatabase(urlOf('postgres')),
    standby: () => startPostgres({ ...options, copyOf: { server, password } }),
    promote: async () => {
      execFileSync(join(bin, 'pg_ctl'), ['promote', '-w', '-D', data], {
        ...asServer,
        cwd: home,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    },
    port,
    start,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    directory: data,
    remove: async () => {
      await end('SIGQUIT')
      rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
  return server
}

/**
 * Somewhere to make databases: the server of TEST_DATABASE_URL, whose role must be allowed to, or a throw-away one.
 */
export async function testServer(): Promise<Pick<PostgresServer, 'freshDatabase' | 'remove'>> {
  const given = process.env.TEST_DATABASE_URL
  if (given === undefined) return startPostgres()
  const made: string[] = []
  return {
    freshDatabase: async () => {
      const url = await freshDatabase(given)
      made.push(new URL(url).pathname.slice(1))
      return url
    },
    remove: async () => {
      for (const name of made) await run(given, `drop database ${name} with (force)`)
    },
  }
}

/**
 * Ends the sessions of a server before the server. A session that outlives it stops waiting for the standby, and others
 * then see a commit that the standby never gets; when a machine fails, no session does.
 */
function killSessions(server: number): void {
  process.kill(server, 'SIGSTOP')
  const { stdout } = spawnSync('pgrep', ['-P', String(server)], { encoding: 'utf8' })
  for (const session of stdout.match(/\d+/g) ?? []) process.kill(Number(session), 'SIGKILL')
}

/** Runs one statement over a connection of its own. */
export async function run(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function freshDatabase(adminUrl: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await run(adminUrl, `create database ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.toString()
}

async function answers(url: string): Promise<boolean> {
  try {
    await run(url, 'select 1')
    return true
  } catch {
    return false
  }
}

export function serverBinaries(): string {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const places = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ]
  const found = places.find(
    (place) => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres')),
  )
  if (found !== undefined) return found
  throw new Error('these tests need a PostgreSQL server: install the package "postgresql"')
}
