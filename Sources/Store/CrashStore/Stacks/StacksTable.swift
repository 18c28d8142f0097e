internal import Bytes
internal import CrashModel
internal import Database

/// The rows of `stacks`, inside a transaction.
enum StacksTable {
  /// Number of calls stored per stack. The id covers all of its calls.
  static let calls = 100

  /// Stores a stack.
  ///
  /// - Parameter variant: The id of the stack.
  static func note(
    _ stack: NormalisedStack, _ variant: String, app: RowID<Tables.Apps>,
    in database: borrowing Connection
  ) throws {
    try database.insert(
      into: "stacks",
      ["app": app, "variant": variant, "type": stack.type, "calls": text(of: stack)],
      onConflict: "ON CONFLICT DO NOTHING")
  }

  /// Deletes those stacks that no report has any more.
  static func forget(
    _ stacks: some Sequence<(app: RowID<Tables.Apps>, variant: String)>,
    in database: borrowing Connection
  ) throws {
    try database.runMany(
      """
      DELETE FROM stacks WHERE app = ?1 AND variant = ?2
        AND NOT EXISTS (SELECT 1 FROM reports WHERE variant = ?2 AND app = ?1)
      """, Set(stacks.map { RowKey($0.app.sqlValue, $0.variant.sqlValue) }).sorted().map(\.values))
  }

  /// The stack with an id; `nil` where no report of the app has it.
  static func stack(
    _ variant: String, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> NormalisedStack? {
    let rows = try database.prepare(
      "SELECT type, calls FROM stacks WHERE app = ?1 AND variant = ?2", [app, variant])
    guard try rows.step() else { return nil }
    return NormalisedStack(
      calls: try calls(in: rows.text("calls")), type: try rows.optionalText("type"))
  }

  /// A line for each call: its class, a space, and its token, which has no line breaks.
  static func text(of stack: NormalisedStack) -> String {
    stack.calls.prefix(calls).map { call in
      "\(call.frameClass.rawValue) \(call.token.replacing(byte: UInt8(ascii: "\n"), with: UInt8(ascii: " ")))"
    }.joined(separator: "\n")
  }

  /// - Throws: ``StoreError/damaged(_:)`` for text that ``text(of:)`` cannot have printed.
  static func calls(in text: String) throws(StoreError) -> [NormalisedStack.Call] {
    var calls: [NormalisedStack.Call] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let frameClass = FrameClass(rawValue: String(parts[0])) else {
        throw .damaged("'calls' of a row of stacks has the line '\(line)'")
      }
      calls.append(.init(token: String(parts[1]), frameClass: frameClass))
    }
    return calls
  }
}
