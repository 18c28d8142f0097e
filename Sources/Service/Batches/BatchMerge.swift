public import Bytes
internal import Files

/// The merge of some parts: the same facts in any order, and however often one is there.
///
/// The records are merged while they are written, and never all in memory.
public struct BatchMerge: Sendable {
  /// The most parts that are read at a time, each block by block.
  public static let mostAtOnce = 128
  /// The bytes of records that are merged in memory, where they take several times as many.
  private static let mostInMemory = 16 << 20
  /// The bytes of documents that are merged in memory: they take no more there, and each class keeps one.
  private static let mostDocumentsInMemory = 128 << 20
  /// Groups are printed in another order than that of their reports: a block is read for each of their classes.
  private static let scratchBlockSize = 16 << 10

  public let head: BatchHead
  private let parts: [BatchPart]

  /// The number of records that were written.
  public struct Counts: Equatable, Sendable {
    public var files = 0
    /// A report that came in several files counts for each.
    public var reports = 0
  }

  /// - Parameters:
  ///   - parts: One or more.
  ///   - folder: Where unnamed files are made if there are too many parts to be merged at once.
  /// - Throws: ``BatchError`` if a file is damaged, or parts were not made in the same way.
  public init(_ parts: [BatchPart], in folder: String) throws {
    guard let first = parts.first else { preconditionFailure("there is nothing to merge") }
    var head = first.head
    for part in parts.dropFirst() {
      if let difference = first.head.difference(from: part.head) {
        throw BatchError.different(
          first: first.name, second: part.name, what: difference.name,
          values: [difference.own, difference.other])
      }
      head.join(part.head)
    }
    self.head = head
    var parts = parts
    while parts.count > Self.mostAtOnce {
      parts = try stride(from: 0, to: parts.count, by: Self.mostAtOnce).map { start in
        let some = Array(parts[start..<min(start + Self.mostAtOnce, parts.count)])
        return try .file(BatchMerge(some, in: folder).file(in: folder))
      }
    }
    self.parts = parts
  }

  /// One part with all that the others have; it is in an unnamed file, if it is large.
  ///
  /// - Parameter folder: Where the file is made.
  public static func part(of parts: [BatchPart], in folder: String) throws -> BatchPart {
    // A batch in memory is in order.
    if parts.count == 1, case .memory = parts[0] { return parts[0] }
    let merge = try BatchMerge(parts, in: folder)
    guard merge.fitsIntoMemory else { return try .file(merge.file(in: folder)) }
    var collector = BatchCollector(head: merge.head)
    _ = try merge.write(to: &collector)
    return .memory(collector.batch)
  }

  private var fitsIntoMemory: Bool {
    var sizes = (documents: 0, others: 0)
    for case .file(let file) in parts {
      for section in BatchSection.allCases {
        let size = file.recordBytes(of: section)
        if [.classes, .documents].contains(section) {
          sizes.documents += size
        } else {
          sizes.others += size
        }
      }
    }
    return sizes.documents <= Self.mostDocumentsInMemory && sizes.others <= Self.mostInMemory
  }

  /// The merge as a part in an unnamed file.
  public func spilled(in folder: String) throws -> BatchPart { try .file(file(in: folder)) }

  /// Writes the merge to an unnamed file.
  private func file(in folder: String) throws -> BatchFile {
    let file = try UnnamedFile(in: folder)
    var size = 0
    try write(blockSize: Self.scratchBlockSize) { (bytes) throws(FileError) in
      try bytes.write(to: file.file.number, named: folder)
      size += bytes.count
    }
    return try BatchFile(.unnamed(file, size: size), folder)
  }

  /// Writes the merge to a file without a name, which then gets the name `path`: a file of that name is complete, and
  /// nothing is left of one that is not. Where the file system has no such files, a temporary file is left if the
  /// process is killed.
  ///
  /// - Throws: ``FileError``, such as on a full disk; ``BatchError``.
  @discardableResult
  public func write(to path: String) throws -> Counts {
    let file: UnnamedFile
    do throws(FileError) {
      file = try UnnamedFile(in: Folder.parent(of: path))
    } catch {
      throw FileError("write", path: path, code: error.code)
    }
    let counts = try write { (bytes) throws(FileError) in
      try bytes.write(to: file.file.number, named: path)
    }
    try file.file.sync(name: path)
    try file.replace(path)
    try Folder.sync(Folder.parent(of: path))
    return counts
  }

  /// Passes the bytes of the file to `sink`, in order.
  ///
  /// - Parameter isPacked: Whether blocks are compressed.
  @discardableResult
  public func write(isPacked: Bool = true, to sink: (ByteView) throws -> Void) throws -> Counts {
    try write(isPacked: isPacked, blockSize: BatchFormat.blockSize, to: sink)
  }

  @discardableResult
  private func write(
    isPacked: Bool = true, blockSize: Int, to sink: (ByteView) throws -> Void
  ) throws -> Counts {
    try withoutActuallyEscaping(sink) { sink in
      var writer = BatchFileWriter(sink, isPacked: isPacked, blockSize: blockSize)
      try writer.begin(head)
      let counts = try write(to: &writer)
      try writer.finish()
      return counts
    }
  }

  /// Passes all records to a target, in order.
  private func write(to target: inout some RecordTarget) throws -> Counts {
    let places = try writeImages(to: &target)
    let files = try write(FileFact.self, to: &target)
    _ = try write(ClassFact.self, to: &target)
    let reports = try write(ReportFact.self, to: &target) { (report, part) throws(BatchError) in
      try renumber(&report.images, by: places[part], of: part)
    }
    _ = try write(DocumentFact.self, to: &target)
    return Counts(files: files, reports: reports)
  }

  /// - Returns: The index in the merge of each part's images.
  private func writeImages(to writer: inout some RecordTarget) throws -> [[Int]] {
    var places: [[Int]] = parts.map { _ in [] }
    var merge = try RecordMerge<ImageFact>(parts)
    var pending: ImageFact?
    var number = -1
    while let (image, part, isNew) = try merge.next() {
      if isNew {
        if let pending { try writer.add(pending) }
        pending = image
        number += 1
      } else {
        pending?.join(image)
      }
      places[part].append(number)
    }
    if let pending { try writer.add(pending) }
    try writer.endSection()
    return places
  }

  private func renumber(
    _ images: inout [Int], by places: [Int], of part: Int
  ) throws(BatchError) {
    for (index, image) in images.enumerated() {
      guard image < places.count else {
        throw .unreadable(
          path: parts[part].name,
          ParseError(.invalid("an image that is not there"), in: "batch reports", at: 0))
      }
      images[index] = places[image]
    }
  }

  /// - Parameter change: Adapts a record of a part to the merge.
  /// - Returns: The number of records.
  private func write<Record: BatchRecord>(
    _ type: Record.Type, to writer: inout some RecordTarget,
    changing change: (inout Record, _ part: Int) throws(BatchError) -> Void = { (_, _) in }
  ) throws -> Int {
    var merge = try RecordMerge<Record>(parts)
    var pending: Record?
    while let next = try merge.next() {
      var record = next.record
      try change(&record, next.part)
      if next.isNew {
        if let pending { try writer.add(pending) }
        pending = record
      } else {
        pending?.join(record)
      }
    }
    if let pending { try writer.add(pending) }
    return try writer.endSection()
  }
}

/// The records of one section of several parts, in order.
private struct RecordMerge<Record: BatchRecord> {
  /// The records of a part that are not given yet.
  private struct Source {
    let part: BatchPart
    let number: Int
    var cursor: RecordCursor<Record>
    var next: Record
    var count = 1

    init?(_ part: BatchPart, _ number: Int) throws(BatchError) {
      self.part = part
      self.number = number
      cursor = RecordCursor(part)
      guard let first = try cursor.next() else { return nil }
      next = first
    }

    /// - Returns: Whether there is another record, which is in `next` then.
    mutating func advance() throws(BatchError) -> Bool {
      guard let record = try cursor.next() else {
        guard count == part.count(of: Record.self) else {
          throw damaged("a wrong number of records")
        }
        return false
      }
      guard Record.order(next, record) < 0 else { throw damaged("a record out of order") }
      next = record
      count += 1
      return true
    }

    private func damaged(_ words: String) -> BatchError {
      .unreadable(
        path: part.name,
        ParseError(.invalid(words), in: Record.section.name.description, at: 0))
    }
  }

  private var heap: RecordHeap<Source>
  private var last: Record?

  init(_ parts: [BatchPart]) throws(BatchError) {
    var sources: [Source] = []
    for (number, part) in parts.enumerated() {
      if let source = try Source(part, number) { sources.append(source) }
    }
    heap = RecordHeap(sources) { Record.order($0.next, $1.next) < 0 }
  }

  /// The next record, the number of its part, and whether no record before it had its key.
  mutating func next() throws(BatchError) -> (record: Record, part: Int, isNew: Bool)? {
    guard !heap.isEmpty else { return nil }
    let (record, part) = try heap.take { (source) throws(BatchError) in
      let taken = (source.next, source.number)
      return (taken, try source.advance())
    }
    let isNew = last.map { Record.order($0, record) != 0 } ?? true
    last = record
    return (record, part, isNew)
  }
}
