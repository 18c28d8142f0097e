internal import Segments

/// A set of small numbers.
struct CodeSet {
  private var words: [UInt64] = []
  /// Whether the set contains all numbers except those inserted.
  private var isInverted = false

  init() {}

  init(_ codes: some Sequence<Int>) {
    for code in codes { insert(code) }
  }

  /// The set of everything that is not in `others`.
  init(allBut others: some Sequence<Int>) {
    self.init(others)
    isInverted = true
  }

  /// Inserts a number, or excludes it from an inverted set.
  mutating func insert(_ code: Int) {
    // A row that was tampered with may have any number; valid ones are smaller, and larger ones
    // would exhaust memory.
    guard (0..<1 << 32).contains(code) else { return }
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

  /// Adds everything that is in another set.
  mutating func formUnion(_ other: CodeSet) {
    switch (isInverted, other.isInverted) {
    case (false, false):
      let count = max(words.count, other.words.count)
      words += repeatElement(0, count: count - words.count)
      for (index, word) in other.words.enumerated() { words[index] |= word }
    case (true, true):
      let count = min(words.count, other.words.count)
      words = (0..<count).map { words[$0] & other.words[$0] }
    case (true, false): remove(other.words)
    case (false, true):
      let own = words
      self = other
      remove(own)
    }
  }

  /// Removes numbers from the excluded ones.
  private mutating func remove(_ others: [UInt64]) {
    for (index, word) in others.enumerated() where index < words.count { words[index] &= ~word }
  }

  /// The positions whose number in a column is in the set, or if negated, is not.
  func filter(_ positions: ChunkPositions, by column: [Int], isNegated: Bool) -> ChunkPositions {
    words.withUnsafeBufferPointer { words in
      column.withUnsafeBufferPointer { column in
        let outside = isInverted != isNegated
        return positions.kept { position in
          let code = column[position]
          // A negative number is beyond all words.
          let word = Int(bitPattern: UInt(bitPattern: code) >> 6)
          guard word < words.count else { return outside }
          return (words[word] >> UInt64(code & 63) & 1 != 0) != outside
        }
      }
    }
  }

  /// The same set for a segment.
  var values: ValueSet {
    var members: [Int] = []
    for (index, word) in words.enumerated() {
      var left = word
      while left != 0 {
        members.append(index << 6 + left.trailingZeroBitCount)
        left &= left - 1
      }
    }
    return ValueSet(members, isInverted: isInverted)
  }

  /// Whether the set contains numbers that were never seen.
  var containsMissing: Bool { isInverted }

  /// Whether the set contains nothing.
  var isEmpty: Bool { !isInverted && words.allSatisfy { $0 == 0 } }
}
