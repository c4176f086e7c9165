import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  Kysely,
  type QueryResult,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely'

/** Resolves when the open transaction ends; null if none is open. */
export type OpenTransaction = () => Promise<void> | null

/**
 * Runs Kysely's queries on a single connection without a queue: SQLite answers before the call returns, so a queue
 * would only add turns of the event loop to every statement.
 *
 * The caller must run one statement at a time, as the ledger does. A reader on the writing connection passes
 * the open transaction and waits for its end, so that nothing uncommitted is read.
 */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #database: SqliteDatabase
  readonly #openTransaction: OpenTransaction

  constructor(
    dialect: SqliteDialect,
    database: SqliteDatabase,
    connections: ConnectionProvider,
    openTransaction: OpenTransaction,
  ) {
    super(dialect.createQueryCompiler(), dialect.createAdapter(), connections)
    this.#database = database
    this.#openTransaction = openTransaction
  }

  override async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    for (let open = this.#openTransaction(); open !== null; open = this.#openTransaction()) await open
    const statement = this.#database.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) as R[] }
    const { changes } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  /** Inside a transaction, too, there is this connection and no other. */
  override withConnectionProvider(): DirectExecutor {
    return this
  }
}

/** A connection that says whether a transaction is open on it. */
export interface DirectDatabase extends SqliteDatabase {
  readonly inTransaction: boolean
}

/** SQLite rolls back by itself when the disk is full or fails; a second rollback would hide that error. */
class DirectDriver extends SqliteDriver {
  readonly #database: DirectDatabase

  constructor(database: DirectDatabase) {
    super({ database })
    this.#database = database
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }
}

/** Kysely over one SQLite connection of the ledger's own. */
export async function directKysely<Schema>(
  database: DirectDatabase,
  openTransaction: OpenTransaction = () => null,
): Promise<Kysely<Schema>> {
  const config = { dialect: new SqliteDialect({ database }) }
  const driver = new DirectDriver(database)
  await driver.init()
  const executor = new DirectExecutor(
    config.dialect,
    database,
    new DefaultConnectionProvider(driver),
    openTransaction,
  )
  return new Kysely<Schema>({ config, executor, driver, dialect: config.dialect })
}
