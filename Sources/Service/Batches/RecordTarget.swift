/// Takes the records of a batch in order, section by section.
protocol RecordTarget {
  mutating func add(_ record: some BatchRecord) throws

  /// Ends a section; the next record begins another.
  ///
  /// - Returns: The number of its records.
  @discardableResult
  mutating func endSection() throws -> Int
}

/// Collects the records of a batch in memory.
struct BatchCollector: RecordTarget {
  private(set) var batch: Batch
  private var count = 0

  init(head: BatchHead) {
    batch = Batch(head: head, images: [], files: [], classes: [], reports: [])
  }

  mutating func add<Record: BatchRecord>(_ record: Record) {
    count += 1
    Record.append(record, to: &batch)
  }

  mutating func endSection() -> Int {
    defer { count = 0 }
    return count
  }
}
