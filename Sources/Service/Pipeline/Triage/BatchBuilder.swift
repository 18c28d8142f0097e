internal import Batches
internal import Bytes
internal import CrashInput
internal import CrashModel
internal import Identifiers
internal import JSON
internal import ReportDocument

/// Collects the facts about the files and reports of a triage. What it collects depends on the files alone, not on
/// the order in which they come, except that the members of one archive come in their order.
///
/// When they take much memory they are put into an unnamed file, to be merged with the others.
struct BatchBuilder {
  private let head: BatchHead
  private let spill: BatchSpill
  /// Parts in files, those of ``mergedParts`` made of many.
  private var parts: [BatchPart] = []
  private var mergedParts: [BatchPart] = []
  /// The approximate bytes of memory of what is collected.
  private var size = 0
  private var files: [FileFact] = []
  private var images: [ImageFact] = []
  private var imageIndices: [[UInt8]: Int] = [:]
  private var classes: [ClassFact] = []
  private var classIndices: [[UInt8]: Int] = [:]
  private var reports: [ReportFact] = []
  private var documents: [DocumentFact] = []
  private var current: CurrentFile?
  private var archive = CurrentArchive()

  init(head: BatchHead, spill: BatchSpill = BatchSpill()) {
    self.head = head
    self.spill = spill
  }

  /// The file whose outcomes are coming.
  private struct CurrentFile {
    var record: FileFact
    /// Why a log is refused if no part of it has reports.
    var refusal: FileFact.Refusal?
  }

  /// The file on disk whose members are coming.
  private struct CurrentArchive {
    var ordinal = -1
    /// The number of reports that were taken of it.
    var reports = 0
    var digests: Set<UInt128> = []
    var occurrences: [[UInt8]: Int] = [:]

    mutating func begin(_ ordinal: Int) {
      if self.ordinal != ordinal { self = CurrentArchive(ordinal: ordinal) }
    }

    /// The number of members before that have the same name.
    mutating func occurrence(of path: String) -> Int {
      let name = Array(path.utf8)
      defer { occurrences[name, default: 0] += 1 }
      return occurrences[name] ?? 0
    }
  }

  // MARK: Files

  /// The limit on the reports of the archive that a file is in, if it was reached.
  func limit(of file: InputFile) -> ReportLimit? {
    guard archive.ordinal == file.ordinal, let limit = file.archive.map({ ReportLimit(of: $0) }),
      archive.reports >= limit.most
    else { return nil }
    return limit
  }

  /// Adds a file that is known to belong to a report by its name. Only its name counts.
  mutating func add(attachment file: InputFile) throws {
    append(FileFact(path: file.path, occurrence: 0, isMember: file.isMember, content: .attachment))
    try spillIfLarge()
  }

  /// Adds the outcome of a file, or of a part of a log.
  ///
  /// - Throws: ``FileError`` if the disk is full.
  mutating func add(_ file: TriagedFile) throws {
    take(file)
    try spillIfLarge()
  }

  private mutating func take(_ file: TriagedFile) {
    archive.begin(file.ordinal)
    if file.coverage != .further {
      endFile()
      let occurrence = archive.occurrence(of: file.source)
      current = CurrentFile(
        record: FileFact(path: file.source, occurrence: occurrence, isMember: file.isMember))
    }
    if let limit = file.limit, file.isRead, archive.reports >= limit.most {
      return refuse(FileFact.Refusal(kind: .unreadable, reason: limit.reason))
    }
    if file.isAttachment {
      current?.record.content = .attachment
      return
    }
    switch file.content {
    case .failure(let reason):
      let refusal = FileFact.Refusal(kind: .init(reason.kind), reason: reason.text)
      if file.coverage == .whole || reason.kind != .foreign {
        refuse(refusal)
      } else if current?.refusal == nil {
        current?.refusal = refusal
      }
    case .success(let reports): add(reports, of: file)
    }
  }

  private mutating func refuse(_ refusal: FileFact.Refusal) {
    current?.record.refusals.append(refusal)
  }

  private mutating func endFile() {
    guard var file = current else { return }
    if file.record.content == .none, let refusal = file.refusal {
      file.record.refusals.append(refusal)
    }
    append(file.record)
    current = nil
  }

  private mutating func append(_ file: FileFact) {
    size += BatchSpill.size(of: file)
    files.append(file)
  }

  /// The facts, in parts that are in order.
  mutating func finish() throws -> [BatchPart] {
    endFile()
    if parts.isEmpty, mergedParts.isEmpty { return [.memory(takeBatch())] }
    try putAway()
    return mergedParts + parts
  }

  private mutating func takeBatch() -> Batch {
    let batch = Batch(
      head: head, images: images, files: files, classes: classes, reports: reports,
      documents: documents)
    images = []
    imageIndices = [:]
    files = []
    classes = []
    classIndices = [:]
    reports = []
    documents = []
    size = 0
    return batch
  }

  private mutating func spillIfLarge() throws {
    if size >= spill.bytes { try putAway() }
  }

  private mutating func putAway() throws {
    parts.append(try BatchMerge([.memory(takeBatch())], in: spill.folder).spilled(in: spill.folder))
    // Each is an open file.
    guard parts.count >= BatchMerge.mostAtOnce else { return }
    mergedParts.append(try BatchMerge(parts, in: spill.folder).spilled(in: spill.folder))
    parts = []
  }

  // MARK: Reports

  private mutating func add(_ processed: [ProcessedReport], of file: TriagedFile) {
    guard let record = current?.record else { return }
    var taken = processed.count
    if let limit = file.limit,
      archive.digests.insert(ReportDigest.number(ofDigest: file.digest)).inserted
    {
      taken = min(taken, limit.most - archive.reports)
      if taken < processed.count {
        refuse(FileFact.Refusal(kind: .unreadable, reason: limit.reason))
      }
      archive.reports += taken
    }
    current?.record.content = .reports
    current?.record.digests.append(file.digest)
    for (position, report) in processed.prefix(taken).enumerated() {
      add(report, id: file.ids[position], position: position, of: record)
    }
  }

  private mutating func add(
    _ processed: ProcessedReport, id: String, position: Int, of file: FileFact
  ) {
    let report = processed.report
    guard let signature = report.signature else { return }
    let app = processed.app
    let version = report.app.versionText
    let fact = ReportFact(
      app: app, key: signature.key, id: id, path: file.path, occurrence: file.occurrence,
      position: position, format: report.format, time: report.time, version: version,
      os: report.os, title: signature.text, install: report.install,
      images: missingImages(of: report))
    size += BatchSpill.size(of: fact)
    reports.append(fact)
    if head.hasDocuments {
      var writer = JSONWriter()
      StoredReport(id: id, report: report).write(to: &writer)
      documents.append(DocumentFact(id: id, bytes: ByteView(writer.takeBytes())))
      size += 160 + (documents.last?.bytes.count ?? 0)
    }
    let record = ClassFact(
      app: app, key: signature.key, readings: signature.exactAlternativeKeys,
      weakReadings: signature.weakAlternativeKeys,
      build: Release(version: report.app.version ?? "", build: report.app.build ?? ""),
      title: ClassFact.Title(signature),
      exemplar: ClassFact.Exemplar(report, category: signature.category, id: id),
      reason: ClassFact.Reason(time: report.time, text: report.reason.line),
      statement: ClassFact.Statement(of: report, signature))
    let key = Array(app.utf8) + [0] + Array(signature.key.utf8)
    if let index = classIndices[key] {
      classes[index].join(record)
    } else {
      classIndices[key] = classes.count
      size += BatchSpill.size(of: report)
      classes.append(record)
    }
  }

  /// The images whose debug files are missing, without those whose frames the report names itself.
  private mutating func missingImages(of report: CrashReport) -> [Int] {
    guard report.images.contains(where: { $0.symbols?.verdict == .missing }) else { return [] }
    let own = report.inAppImages
    let named = report.namedImages
    var found: Set<Int> = []
    for (index, image) in report.images.enumerated() where image.symbols?.verdict == .missing {
      if named.contains(index) { continue }
      let record = ImageFact(image, isOwn: own.contains(index))
      let key = record.identityBytes
      if let known = imageIndices[key] {
        images[known].join(record)
        found.insert(known)
      } else {
        imageIndices[key] = images.count
        found.insert(images.count)
        images.append(record)
      }
    }
    return found.sorted()
  }
}

extension FileFact.Refusal.Kind {
  init(_ kind: RefusedFile.Kind) {
    self =
      switch kind {
      case .unreadable: .unreadable
      case .debugFile: .debugFile
      case .foreign: .foreign
      }
  }
}
