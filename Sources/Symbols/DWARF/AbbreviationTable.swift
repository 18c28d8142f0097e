internal import Bytes

/// The abbreviations of a unit, each turned into a program once, so that the walk over the entries
/// adds constants where it would otherwise look at every attribute.
///
/// Source: DWARF 5, section 7.5.3.
final class AbbreviationTable: Sendable {
  let entries: [Abbreviation]
  let skips: [SkipStep]
  let plans: [PlanStep]
  /// Whether the entry of code `n` is the one at `n - 1`; compilers number them so, the standard does
  /// not ask for it.
  let isDense: Bool
  /// How many bytes of the section it took.
  let byteCount: Int

  /// - Parameter builder: What it has read is copied, for tables are kept and should be small.
  init(_ builder: borrowing AbbreviationBuilder) {
    entries = builder.entries.trimmed
    skips = builder.skips.trimmed
    plans = builder.plans.trimmed
    isDense = builder.isDense
    byteCount = builder.byteCount
  }

  /// The index in ``entries`` of the abbreviation numbered `code`, or -1.
  @inline(__always)
  func index(of code: UInt64) -> Int {
    if isDense {
      return code &- 1 < UInt64(entries.count) ? Int(truncatingIfNeeded: code &- 1) : -1
    }
    return search(code)
  }

  @inline(never)
  private func search(_ code: UInt64) -> Int {
    let low = entries.lowerBound { UInt64($0.code) < code }
    return low < entries.count && UInt64(entries[low].code) == code ? low : -1
  }
}

extension Array {
  /// A copy that takes no more memory than it must.
  fileprivate var trimmed: [Element] {
    var copy: [Element] = []
    copy.reserveCapacity(count)
    copy.append(contentsOf: self)
    return copy
  }
}
