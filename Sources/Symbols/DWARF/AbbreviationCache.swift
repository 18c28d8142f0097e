internal import Bytes

/// Abbreviation tables, each read once as long as they fit; units may share one, and a function's
/// origin may lie in another unit.
struct AbbreviationCache {
  private struct Key: Hashable {
    let offset: Int
    let encoding: UnitEncoding
  }

  private var tables: [Key: AbbreviationTable] = [:]
  private var builder = AbbreviationBuilder()
  private var kept = 0
  /// How many more bytes of tables may be read.
  private(set) var budget: Int
  private let capacity: Int

  init(sectionSize: Int, limits: DWARFLimits) {
    capacity = limits.cachedAbbreviations
    budget = sectionSize.multipliedReportingOverflow(by: limits.rereading).partialValue
    budget = max(budget, 0) + limits.slack
  }

  /// The table at `offset`, or `nil` when reading tables over and over has used up what the limits
  /// allow.
  mutating func table(
    in section: RawSpan, at offset: Int, encoding: UnitEncoding, isBigEndian: Bool
  ) -> AbbreviationTable? {
    let key = Key(offset: offset, encoding: encoding)
    if let table = tables[key] { return table }
    guard budget > 0 else { return nil }
    builder.read(section, at: offset, encoding: encoding, isBigEndian: isBigEndian)
    let table = AbbreviationTable(builder)
    budget -= table.byteCount
    if kept > capacity {
      tables.removeAll(keepingCapacity: true)
      kept = 0
    }
    // A step takes no more than an abbreviation; and what a small table takes.
    kept += table.entries.count + table.skips.count / 4 + table.plans.count + 64
    tables[key] = table
    return table
  }
}
