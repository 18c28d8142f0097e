/// Facts about some reports in the order of their keys: in memory, or in a file.
public enum BatchPart: Sendable {
  case memory(Batch)
  case file(BatchFile)

  public var head: BatchHead {
    switch self {
    case .memory(let batch): batch.head
    case .file(let file): file.head
    }
  }

  /// The name of the file, for messages.
  var name: String {
    switch self {
    case .memory: "memory"
    case .file(let file): file.path
    }
  }

  /// The number of reports; one that came in several files counts for each.
  public var reportCount: Int { count(of: ReportFact.self) }

  /// The number of records of a section.
  package func count<Record: BatchRecord>(of type: Record.Type) -> Int {
    switch self {
    case .memory(let batch): Record.records(of: batch).count
    case .file(let file): file.recordCount(of: Record.section)
    }
  }

  fileprivate func blockCount(of section: BatchSection) -> Int {
    switch self {
    case .memory: 1
    case .file(let file): file.blockCount(of: section)
    }
  }

  fileprivate func block<Record: BatchRecord>(
    _ index: Int, of type: Record.Type
  ) throws(BatchError) -> [Record] {
    switch self {
    case .memory(let batch): Record.records(of: batch)
    case .file(let file): try file.records(type, block: index)
    }
  }
}

/// The place of a record in its section of a part.
package struct RecordPlace: Equatable, Sendable {
  fileprivate var block = 0
  fileprivate var index = 0
}

/// Reads the records of one section of a part in order, block by block.
package struct RecordCursor<Record: BatchRecord> {
  private let part: BatchPart
  private var records: [Record] = []
  private var block: Int
  /// The index of the next record in its block.
  private var index: Int
  /// The records that are given at most.
  private var left: Int

  /// - Parameters:
  ///   - place: The first record; by default that of the section.
  ///   - most: The number of records after which the cursor ends.
  package init(
    _ part: BatchPart, from place: RecordPlace = RecordPlace(), atMost most: Int = .max
  ) {
    self.part = part
    block = place.block
    index = place.index
    left = most
  }

  /// The place of the record that comes next.
  package var place: RecordPlace {
    index < records.count || records.isEmpty
      ? RecordPlace(block: block, index: index) : RecordPlace(block: block + 1, index: 0)
  }

  /// - Throws: ``BatchError`` if the file cannot be read, or is damaged.
  package mutating func next() throws(BatchError) -> Record? {
    guard left > 0 else { return nil }
    while index >= records.count {
      if !records.isEmpty {
        block += 1
        index -= records.count
        records = []
      }
      guard block < part.blockCount(of: Record.section) else { return nil }
      records = try part.block(block, of: Record.self)
      if records.isEmpty { return nil }
      if case .file = part, left < records.count - index {
        // The rest of the block is not kept.
        records = Array(records[..<(index + left)])
      }
    }
    defer {
      index += 1
      left -= 1
    }
    return records[index]
  }
}
