import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type PostgresServer, testServer } from './postgres.ts'

/** For a test file that needs databases and leaves their server alone: a source of empty ones, removed after its tests. */
export function testDatabases(): { fresh(): Promise<string> } {
  let server: Pick<PostgresServer, 'freshDatabase' | 'remove'>
  beforeAll(async () => {
    server = await testServer()
  })
  afterAll(() => server.remove())
  return { fresh: () => server.freshDatabase() }
}

/** The same with an empty database for each test, at `url`. */
export function databasePerTest(): { readonly url: string } {
  const databases = testDatabases()
  let url: string
  beforeEach(async () => {
    url = await databases.fresh()
  })
  return {
    get url() {
      return url
    },
  }
}
