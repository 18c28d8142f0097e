/// A driver's statement with its column names; used by one thread at a time.
final class PreparedStatement {
  let driver: any DriverStatement
  /// The columns by name, looked up once for the lifetime of the statement.
  private(set) lazy var columns = ColumnNames(of: driver)

  init(_ driver: any DriverStatement) { self.driver = driver }
}

/// The text of a statement with its prepared statement while that is not in use: preparing one costs more than
/// most take to run.
final class StatementEntry {
  let sql: String
  /// The path of the database, for errors.
  let path: String
  private let costs: StatementCosts?
  private var idle: PreparedStatement?

  init(_ sql: String, path: String, costs: StatementCosts?) {
    self.sql = sql
    self.path = path
    self.costs = costs
  }

  /// Returns the idle statement; `nil` where none was prepared or it is in use.
  func take() -> PreparedStatement? { exchange(&idle, with: nil) }

  func giveBack(_ prepared: PreparedStatement) {
    costs?.add(steps: prepared.driver.takeSteps(), of: sql)
    prepared.driver.reset()
    prepared.driver.clearBindings()
    if idle == nil { idle = prepared }
  }
}

/// The costs of statements by their SQL; see ``Connection/statementCosts``.
final class StatementCosts {
  private(set) var all: [String: StatementCost] = [:]

  func add(steps: Int, of sql: String) { all[sql, default: StatementCost()].add(steps: steps) }
}

/// The statements of a connection by their texts. Used by one connection, and so by one thread at a time.
///
/// Most texts are constants of the program and always at one address: a small table finds their entries by
/// address and length, without hashing hundreds of bytes for each run.
struct StatementCache {
  /// The most texts kept; the program has fewer, including lists with filters. Beyond it, all are forgotten
  /// and the cache starts anew.
  static let limit = 400
  /// A power of two.
  private static let slots = 1_024

  private let path: String
  private let costs: StatementCosts?
  private var entries: [String: StatementEntry] = [:]
  private var recent = [StatementEntry?](repeating: nil, count: Self.slots)

  /// - Parameter costs: Where costs are counted; `nil` where they are not.
  init(path: String, costs: StatementCosts?) {
    self.path = path
    self.costs = costs
  }

  mutating func entry(for sql: String) -> StatementEntry {
    let slot = Self.slot(of: sql)
    // Texts at one address are equal at a glance; others may have been there before.
    if let found = recent[slot], found.sql == sql { return found }
    let found = entries[sql] ?? added(sql)
    recent[slot] = found
    return found
  }

  private mutating func added(_ sql: String) -> StatementEntry {
    if entries.count >= Self.limit {
      entries.removeAll(keepingCapacity: true)
      recent = [StatementEntry?](repeating: nil, count: Self.slots)
    }
    let entry = StatementEntry(sql, path: path, costs: costs)
    entries[sql] = entry
    return entry
  }

  private static func slot(of sql: String) -> Int {
    let mark = sql.utf8.withContiguousStorageIfAvailable { bytes in
      UInt(bitPattern: bytes.baseAddress) &>> 4 &+ UInt(bitPattern: bytes.count)
    }
    let mixed = (mark ?? 0) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> 40) & (slots - 1)
  }
}

/// Puts a value in the place of another.
private func exchange<Value>(_ place: inout Value, with new: Value) -> Value {
  let old = place
  place = new
  return old
}
