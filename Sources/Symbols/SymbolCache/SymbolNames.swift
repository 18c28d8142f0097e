internal import Bytes
internal import DebugInfo
internal import ObjectFormats
internal import Workers

/// The symbols side by side, and their names, with which the strings of a cache begin.
final class SymbolNames: Sendable {
  let runs: Table<SymbolRange>
  /// The section of symbols.
  let section: ByteView
  private let strings: Handover<StringPool>

  /// - Parameter seed: That of ``FunctionNames``.
  init(_ code: ObjectCode, beside codeRanges: SortedCodeRanges, seed: UInt64) {
    let runs = code.symbolRuns(beside: codeRanges)
    let names = code.symbols.names
    var strings = StringPool(seed: seed)
    var section = Table<UInt8>(minimumCapacity: runs.count * SymbolCacheFormat.symbolSize)
    for index in 0..<runs.count {
      let run = runs[index]
      let entry = strings.entry(
        of: names.bytes, from: Int(run.nameOffset), count: Int(run.nameCount))
      section.put(run.start)
      section.put(entry?.offset ?? 0)
      section.put(entry?.count ?? 0)
    }
    self.runs = runs
    self.section = ByteView(taking: section)
    self.strings = Handover(strings)
  }

  /// The strings, for the one who adds the others.
  func takeStrings() -> StringPool { strings.take() }
}
