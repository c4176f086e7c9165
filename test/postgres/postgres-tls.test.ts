import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { claimed } from '../support/ledger-rows.ts'
import { type PostgresServer, run, startPostgres } from '../support/postgres.ts'

let directory: string
let certificate: string
let server: PostgresServer
let url: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'format-checker-certificate-'))
  certificate = join(directory, 'server.crt')
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'],
      ...[
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        join(directory, 'server.key'),
        '-out',
        certificate,
      ],
    ],
    { stdio: 'ignore' },
  )
  server = await startPostgres({ certificate: { key: join(directory, 'server.key'), certificate } })
  url = await server.freshDatabase()
})
afterAll(async () => {
  await server.remove()
  rmSync(directory, { recursive: true })
})

const encrypted = `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'format-checker'`

test('a certificate the operator names is trusted, and every session is encrypted', async () => {
  const ledger = await openPostgresLedger({ url: `${url}?sslmode=verify-full&sslrootcert=${certificate}` })
  const row = await claimed(ledger)
  await ledger.noteDelivered(row, 1, 9)
  const sessions = await run(url, encrypted)
  expect(sessions.length).toBeGreaterThanOrEqual(2)
  expect(sessions.every(({ ssl }) => ssl === true)).toBe(true)
  await ledger.close()
})

test('an untrusted certificate is refused at startup', async () => {
  await expect(openPostgresLedger({ url: `${url}?sslmode=verify-full` })).rejects.toThrow(
    /^DATABASE_URL .*self-signed certificate/,
  )
})

test('a certificate of another host is refused at boot', async () => {
  const elsewhere = url.replace('127.0.0.1', 'localhost')
  await expect(
    openPostgresLedger({ url: `${elsewhere}?sslmode=verify-full&sslrootcert=${certificate}` }),
  ).rejects.toThrow(/^DATABASE_URL .*altnames/)
})
