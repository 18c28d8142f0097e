internal import Bytes
internal import CrashModel
internal import Database
internal import Likeness

/// A stack of a key, as stored in `key_stacks`.
struct StoredStack {
  let id: RowID<Tables.KeyStacks>
  let key: String
  /// ``LinkFacts/words`` and ``LinkFacts/functions``; `nil` for a key that is never linked.
  let words: String?
  let functions: String?
  /// Policy of a custom rule that replaces the app's.
  let linking: GroupLinking?
  let features: StackFeatures

  static let columns = "key_stacks.id, key_stacks.key, words, functions, linking, features"

  /// - Parameter row: A row with ``columns``.
  /// - Throws: ``StoreError/damaged(_:)`` where the features were not written by this program.
  init(_ row: borrowing Statement) throws {
    id = try row.id("id")
    key = try row.text("key")
    words = try row.optionalText("words")
    functions = try row.optionalText("functions")
    linking = try row.optionalText("linking").flatMap { GroupLinking($0) }
    let digits = try row.text("features")
    guard
      let features = [UInt8](hexadecimal: digits).flatMap({ StackFeatures(packed: $0) })
    else {
      throw StoreError.damaged("features of stack \(id) of key \(key)")
    }
    self.features = features
  }

  static func find(
    _ id: RowID<Tables.KeyStacks>, in database: borrowing Connection
  ) throws -> StoredStack? {
    let rows = try database.prepare("SELECT \(columns) FROM key_stacks WHERE id = ?1", [id])
    return try rows.step() ? StoredStack(rows) : nil
  }
}
