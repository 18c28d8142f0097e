/// A set of small numbers.
struct CodeSet {
  private var words: [UInt64] = []
  /// Whether those that were not inserted are in it instead.
  private var isInverted = false

  init() {}

  init(_ codes: some Sequence<Int>) {
    for code in codes { insert(code) }
  }

  /// Everything that is not in `others`.
  init(allBut others: some Sequence<Int>) {
    self.init(others)
    isInverted = true
  }

  /// The numbers that were inserted, or are left out.
  mutating func insert(_ code: Int) {
    guard code >= 0 else { return }
    let word = code >> 6
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: max(word + 1 - words.count, words.count)))
    }
    words[word] |= 1 << UInt64(code & 63)
  }

  func contains(_ code: Int) -> Bool {
    let word = code >> 6
    guard code >= 0, word < words.count else { return isInverted }
    return (words[word] >> UInt64(code & 63) & 1 != 0) != isInverted
  }

  /// Whether what was never seen is in it.
  var containsMissing: Bool { isInverted }

  /// Whether nothing can be in it.
  var isEmpty: Bool { !isInverted && words.allSatisfy { $0 == 0 } }
}
