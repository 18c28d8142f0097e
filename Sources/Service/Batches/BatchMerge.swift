internal import Bytes

extension Batch {
  /// Merges the batches in some files: the same facts in any order, and however often one is there.
  ///
  /// - Throws: ``BatchError`` if a file is damaged, or batches were not made in the same way.
  /// - Complexity: O(n log k) in the records of k files.
  public init(merging files: [BatchFile]) throws(BatchError) {
    guard let first = files.first else { preconditionFailure("there is nothing to merge") }
    var head = first.head
    for file in files.dropFirst() {
      if let difference = first.head.difference(from: file.head) {
        throw .different(
          first: first.path, second: file.path, what: difference.name,
          values: [difference.own, difference.other])
      }
      head.join(file.head)
    }
    self.head = head
    var places: [[Int]] = files.map { _ in [] }
    images = []
    var merge = try RecordMerge<ImageFact>(files)
    while let (image, file, isNew) = try merge.next() {
      if isNew { images.append(image) } else { images[images.count - 1].join(image) }
      places[file].append(images.count - 1)
    }
    self.files = try RecordMerge.all(of: files)
    classes = try RecordMerge.all(of: files)
    reports = try RecordMerge<ReportFact>.all(of: files) { (report, file) throws(BatchError) in
      let places = places[file]
      for (index, image) in report.images.enumerated() {
        guard image < places.count else {
          throw .unreadable(
            path: files[file].path,
            ParseError(.invalid("an image that is not there"), in: "batch reports", at: 0))
        }
        report.images[index] = places[image]
      }
    }
  }
}

/// The records of one section of several files, in order.
private struct RecordMerge<Record: BatchRecord> {
  /// The records of a file that are not given yet.
  private struct Source {
    let file: BatchFile
    let number: Int
    var block = 0
    /// The rest of the current block, the next record last.
    var records: [Record] = []
    var count = 0
    var last: Record?

    init(_ file: BatchFile, _ number: Int) {
      self.file = file
      self.number = number
    }

    /// - Returns: Whether there is a next record, which is last in `records`.
    mutating func fill() throws(BatchError) -> Bool {
      guard records.isEmpty else { return true }
      guard block < file.blockCount(of: Record.section) else {
        guard count == file.recordCount(of: Record.section) else {
          throw damaged("a wrong number of records")
        }
        return false
      }
      records = try file.records(Record.self, block: block).reversed()
      block += 1
      count += records.count
      if let last, let first = records.last, Record.order(last, first) >= 0 {
        throw damaged("a record out of order")
      }
      last = records.first
      return !records.isEmpty
    }

    private func damaged(_ words: String) -> BatchError {
      .unreadable(
        path: file.path,
        ParseError(.invalid(words), in: Record.section.name.description, at: 0))
    }
  }

  /// A heap: the source with the first record is first.
  private var heap: [Source] = []
  private var last: Record?

  init(_ files: [BatchFile]) throws(BatchError) {
    for (number, file) in files.enumerated() {
      var source = Source(file, number)
      if try source.fill() { heap.append(source) }
    }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  /// The next record, the number of its file, and whether no record before it had its key.
  mutating func next() throws(BatchError) -> (record: Record, file: Int, isNew: Bool)? {
    guard !heap.isEmpty, let record = heap[0].records.popLast() else { return nil }
    let file = heap[0].number
    if try !heap[0].fill() {
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
    }
    sink(0)
    let isNew = last.map { Record.order($0, record) != 0 } ?? true
    last = record
    return (record, file, isNew)
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var first = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && precedes(child, first) {
        first = child
      }
      guard first != index else { return }
      heap.swapAt(first, index)
      index = first
    }
  }

  private func precedes(_ one: Int, _ other: Int) -> Bool {
    guard let left = heap[one].records.last, let right = heap[other].records.last else {
      return false
    }
    return Record.order(left, right) < 0
  }

  /// All records, those with one key joined.
  static func all(
    of files: [BatchFile],
    changing: (inout Record, _ file: Int) throws(BatchError) -> Void = { (_, _) in }
  ) throws(BatchError) -> [Record] {
    var merge = try RecordMerge(files)
    var records: [Record] = []
    while let next = try merge.next() {
      var record = next.record
      try changing(&record, next.file)
      if next.isNew { records.append(record) } else { records[records.count - 1].join(record) }
    }
    return records
  }
}
