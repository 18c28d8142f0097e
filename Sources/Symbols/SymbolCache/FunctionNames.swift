internal import Bytes
internal import DWARF
internal import DebugInfo

/// The data by which the names of an object's functions are found in the strings of its cache, read
/// while their order in the cache is not known yet.
final class FunctionNames: Sendable {
  struct Name: BitwiseCopyable, Sendable {
    /// In bytes.
    var count: UInt32
    var hash: UInt32
  }

  /// By number of the object; functions after the last one are unknown.
  private let names: Table<Name>

  /// - Parameters:
  ///   - budget: The most bytes of names that may be read.
  ///   - seed: The seed of the strings.
  init(_ code: ObjectCode, budget: Int, seed: UInt64) {
    var names = Table<Name>(minimumCapacity: code.tables.functions.count)
    var budget = budget
    var index = 0
    while index < code.tables.functions.count, budget > 0 {
      let name = code.tables.functions[index].name
      var found = Name(count: 0, hash: 0)
      if let view = code.sections?.view(of: name) {
        let bytes = view.bytes
        let count = bytes.textLength(from: name.offset, limit: DWARFLimits().nameLength)
        budget -= count
        found.count = UInt32(truncatingIfNeeded: count)
        found.hash = StringPool.hash(bytes, from: name.offset, count: count, seed: seed)
      }
      names.append(found)
      index += 1
    }
    self.names = names
  }

  /// The known facts about the name of a function; `nil` where there are none.
  func name(of function: Int) -> Name? { function < names.count ? names[function] : nil }
}
