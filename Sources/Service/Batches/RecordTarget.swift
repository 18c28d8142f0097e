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

  mutating func add(_ record: some BatchRecord) {
    count += 1
    switch record {
    case let image as ImageFact: batch.images.append(image)
    case let file as FileFact: batch.files.append(file)
    case let record as ClassFact: batch.classes.append(record)
    case let report as ReportFact: batch.reports.append(report)
    case let document as DocumentFact: batch.documents.append(document)
    default: preconditionFailure("a section without a place")
    }
  }

  mutating func endSection() -> Int {
    defer { count = 0 }
    return count
  }
}
