internal import Bytes

/// Collects the rows found by the readers, for one file.
///
/// A reader opens an entry for each function, adds its rows in the order of their addresses and
/// closes it. Where entries overlap, the one from the better source wins, then the one that begins
/// later, then the one added first.
struct UnwindBuilder: ~Copyable {
  /// The rows of one function.
  struct Entry: BitwiseCopyable {
    var start: UInt32
    var end: UInt32
    /// The index of its first row.
    var row: UInt32
    /// The number of its rows.
    var count: UInt32
    /// The rank of its source; lower is better.
    var rank: UInt32
  }

  /// The rules of the row under construction.
  var rules = RuleSet()
  var expressions = ExpressionPool()
  var sources: UnwindSources = []
  private(set) var pool = RulePool()
  private(set) var notes: [String] = []
  /// The start (high half) and the number of the rules of each row.
  private(set) var rows = Table<UInt64>()
  private(set) var entries = Table<Entry>()
  private var entry = Entry(start: 0, end: 0, row: 0, count: 0, rank: 0)
  /// The most words of rules, and the most rows.
  private var wordLimit = 0
  private var rowLimit = 0
  /// The remaining steps where little input requires much work.
  private var effort = UnwindLimits.effort
  /// The rank of the call frame information being read.
  var callFrameRank: UInt32 = 0

  /// Raises the limits for this many more bytes of input.
  mutating func allow(bytes count: Int) {
    wordLimit &+= (count &* UnwindLimits.ruleRatio &+ UnwindLimits.ruleBytes) / 8
    rowLimit &+= count &* UnwindLimits.rowRatio
    effort &+= count &* UnwindLimits.effortRatio
  }

  /// Counts steps that many entries may cause by referring to the same bytes.
  ///
  /// - Throws: ``ParseError`` when there were too many for the input.
  mutating func spend(_ steps: Int) throws(ParseError) {
    effort &-= steps
    guard effort >= 0 else {
      throw ParseError(
        .limit(name: "steps", value: UnwindLimits.effort), in: "unwind rules", at: 0)
    }
  }

  /// Whether too many steps were taken already.
  var isExhausted: Bool { effort < 0 }

  mutating func note(_ text: String) {
    // A damaged common entry is found once for each function.
    if notes.count < UnwindLimits.notes, notes.last != text { notes.append(text) }
  }

  // MARK: A function

  /// Begins the rows of the code from `start` up to, but not including, `end`.
  mutating func open(_ start: UInt32, _ end: UInt32, rank: UInt32) {
    entry = Entry(
      start: start, end: end, row: UInt32(truncatingIfNeeded: rows.count), count: 0, rank: rank)
  }

  /// Adds a row with ``rules`` from `start` on, which must be in the entry and after the row
  /// before.
  ///
  /// - Throws: ``ParseError`` where the rules take much more space than their input.
  mutating func addRow(_ start: UInt32) throws(ParseError) {
    guard pool.words.count <= wordLimit, rows.count < rowLimit else {
      throw ParseError(
        .limit(name: "bytes of unwind rules", value: wordLimit &* 8), in: "unwind rules", at: 0)
    }
    let number = UInt64(pool.number(of: rules))
    if entry.count > 0 {
      let last = rows[rows.count &- 1]
      if UInt32(truncatingIfNeeded: last &>> 32) == start {
        rows[rows.count &- 1] = UInt64(start) &<< 32 | number
        return
      }
      if UInt32(truncatingIfNeeded: last) == UInt32(truncatingIfNeeded: number) { return }
    }
    rows.append(UInt64(start) &<< 32 | number)
    entry.count &+= 1
  }

  /// Ends the rows of the function, before `end` where nothing is known from there on.
  mutating func close(at end: UInt32? = nil) {
    if let end { entry.end = min(entry.end, end) }
    if entry.start < entry.end, entry.count > 0 {
      entries.append(entry)
    } else {
      rows.truncate(to: Int(entry.row))
    }
    entry.count = 0
  }
}
