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

/**
 * Runs Kysely's queries on the one connection there is, without asking who may have it: SQLite answers before the call
 * returns, so a queue of askers would only add turns of the event loop to every statement.
 *
 * For a connection whose user takes one thing after the other, as the ledger does.
 */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #database: SqliteDatabase

  constructor(dialect: SqliteDialect, database: SqliteDatabase, connections: ConnectionProvider) {
    super(dialect.createQueryCompiler(), dialect.createAdapter(), connections)
    this.#database = database
  }

  override async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
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

/** SQLite itself rolls back when a disk is full or fails; a second rollback would hide the reason behind its own. */
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
export async function directKysely<Schema>(database: DirectDatabase): Promise<Kysely<Schema>> {
  const config = { dialect: new SqliteDialect({ database }) }
  const driver = new DirectDriver(database)
  await driver.init()
  const executor = new DirectExecutor(config.dialect, database, new DefaultConnectionProvider(driver))
  return new Kysely<Schema>({ config, executor, driver, dialect: config.dialect })
}
