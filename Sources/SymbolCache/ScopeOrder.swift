internal import Bytes
internal import DWARF
internal import DebugInfo

/// The code of an object side by side, and its scopes numbered in the order in which their code is
/// met, those around others before them.
final class ScopeOrder: Sendable {
  let layout: CodeLayout
  /// For each scope of the object its number plus 1; 0 for those without code.
  let numbers: Table<UInt32>
  /// The scopes of the object by number.
  let scopes: Table<UInt32>

  init(_ code: ObjectCode, width: Int) {
    let layout = code.layout(width: width)
    var numbers = Table<UInt32>(repeating: 0, count: code.tables.scopes.count)
    var scopes = Table<UInt32>()
    // Those around a scope that have no number yet, innermost first.
    var open = Table<UInt32>()
    for index in 0..<layout.segments.count {
      var scope = layout.segments[index].scope
      while scope != CodeTables.none, numbers[Int(scope)] == 0 {
        open.append(scope)
        scope = code.tables.scopes[Int(scope)].parent
      }
      while !open.isEmpty {
        let scope = open.removeLast()
        scopes.append(scope)
        numbers[Int(scope)] = UInt32(truncatingIfNeeded: scopes.count)
      }
    }
    self.layout = layout
    self.numbers = numbers
    self.scopes = scopes
  }
}
