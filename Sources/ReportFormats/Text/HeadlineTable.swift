internal import Bytes

/// The headlines of all log readers, arranged by the byte before a colon.
struct HeadlineTable: Sendable {
  struct Entry: Sendable {
    let rule: HeadlineRule
    /// Index of the reader that declares it.
    let reader: Int
  }

  /// Rules whose mark has a colon, those for one byte together.
  private(set) var entries: [Entry] = []
  /// For each byte, where its rules stand in ``entries``.
  private var ranges: [Range<Int>] = []
  /// Rules whose mark has none.
  private(set) var withoutColon: [Entry] = []

  init(_ readers: [any LogReader.Type]) {
    var byByte = [[Entry]](repeating: [], count: 256)
    var known: Set<String> = []
    for (index, reader) in readers.enumerated() {
      // Formats that share what is printed before their reports declare the same rules.
      for rule in reader.headlines where known.insert("\(rule.kind)\u{0}\(rule.mark)").inserted {
        let entry = Entry(rule: rule, reader: index)
        if rule.colon == nil { withoutColon.append(entry) }
        for byte in rule.bytesBeforeColon { byByte[Int(byte)].append(entry) }
      }
    }
    for entries in byByte {
      ranges.append(self.entries.count..<self.entries.count + entries.count)
      self.entries += entries
    }
  }

  /// Where the rules stand whose mark has `byte` before its colon.
  func range(of byte: UInt8) -> Range<Int> { ranges[Int(byte)] }
}
