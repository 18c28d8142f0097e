internal import Archives
internal import Bytes
public import CrashStore
internal import Crypto
public import ServerStore

/// The counts of an archive that was written or read.
public struct HomeArchiveCounts: Equatable, Sendable {
  public var reports = 0
  /// Submissions, documents and attachments.
  public var contents = 0
  public var debugFiles = 0
  /// Submissions that are not stored yet: waiting and quarantined ones.
  public var queued = 0
  /// The number of ``queued`` submissions that are quarantined.
  public var quarantined = 0
}

/// Writes a store, or a part of it, as one file: tar, compressed with zstd.
public struct HomeArchiveWriter {
  private let selection: DumpSelection
  private let engine: String
  private let query: String?
  private let files: [ArchivedFile]
  private let queue: IntakeQueue?

  /// - Parameters:
  ///   - engine: The program and its version.
  ///   - query: The query that selected the reports, for display.
  ///   - files: Further files of the home, at most one of a kind.
  ///   - queue: The submissions that the server has not stored yet, or has quarantined.
  public init(
    _ selection: DumpSelection, engine: String, query: String? = nil, files: [ArchivedFile] = [],
    queue: IntakeQueue? = nil
  ) {
    self.files = files
    self.queue = queue
    self.selection = selection
    self.engine = engine
    self.query = query
  }

  /// Writes to a new file, which gets its name when it is complete and on disk.
  ///
  /// - Parameters:
  ///   - replacing: Whether an existing file may be replaced.
  ///   - progress: Called with the number of finished contents and the total.
  /// - Throws: `ArchiveWriteError`, and what ``CrashStore/Archive/dump(_:to:)`` throws.
  public func write(
    _ store: CrashStore, to path: String, replacing: Bool = false,
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> HomeArchiveCounts {
    try write(
      store, ArchiveWriter(creating: path, format: .tarZstd, replacing: replacing), progress)
  }

  /// Writes to an open descriptor.
  ///
  /// - Parameter name: The name of the descriptor in errors.
  /// - Throws: `ArchiveWriteError`, and what ``CrashStore/Archive/dump(_:to:)`` throws.
  public func write(
    _ store: CrashStore, toDescriptor descriptor: Int32, named name: String,
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> HomeArchiveCounts {
    try write(store, ArchiveWriter(to: descriptor, named: name, format: .tarZstd), progress)
  }

  private func write(
    _ store: CrashStore, _ writer: consuming ArchiveWriter,
    _ progress: @escaping (Int, Int) -> Void
  ) throws -> HomeArchiveCounts {
    let isWhole = if case .everything = selection { true } else { false }
    // Before the store: submissions stored from here on are in both, with the progress that shows it when they
    // are stored again.
    let hold = try store.archive.hold()
    defer { withExtendedLifetime(hold) {} }
    let intake = try queue.map { try QueuedSubmissions(of: $0, keepingIn: store.caches) }
    let sink = ArchiveSink(
      writer,
      ArchiveManifest(isWhole: isWhole, engine: engine, schema: 0, query: query), files, intake,
      progress)
    try store.archive.dump(selection, to: sink)
    return try sink.finish()
  }
}

/// The receiver of a store's dump: first the counts for the manifest, then the archive.
private final class ArchiveSink: DumpSink {
  private var writer: ArchiveWriter?
  private var manifest: ArchiveManifest
  private let files: [ArchivedFile]
  private let intake: QueuedSubmissions?
  private let progress: (Int, Int) -> Void
  /// The rows of the part that is being filled.
  private var rows: [UInt8] = []
  private var table: String?
  private var parts = 0
  private var contentHash = SHA256()
  private var debugFileHash = SHA256()
  private var done = 0

  init(
    _ writer: consuming ArchiveWriter, _ manifest: ArchiveManifest, _ files: [ArchivedFile],
    _ intake: QueuedSubmissions?, _ progress: @escaping (Int, Int) -> Void
  ) {
    self.writer = .some(consume writer)
    self.manifest = manifest
    self.files = files
    self.intake = intake
    if let intake { self.manifest.intake = intake.contents }
    self.manifest.files = files.map {
      ArchiveManifest.MemberFile(
        name: $0.kind.member, bytes: $0.bytes.count, digest: SHA256.hex(of: $0.bytes))
    }
    self.progress = progress
  }

  func count(row: [UInt8], of name: String) throws {
    if name != table { countPart() }
    if name != table {
      manifest.tables.append(ArchiveManifest.Table(name: name))
      table = name
    }
    let last = manifest.tables.count - 1
    manifest.tables[last].rows += 1
    rows += row
    if rows.count >= ArchiveNames.partBytes { countPart() }
  }

  private func countPart() {
    guard !rows.isEmpty else { return }
    let last = manifest.tables.count - 1
    let number = manifest.tables[last].parts.count + 1
    manifest.tables[last].parts.append(
      ArchiveManifest.MemberFile(
        name: ArchiveNames.part(number, of: manifest.tables[last].name), bytes: rows.count,
        digest: SHA256.hex(of: ByteView(rows))))
    rows.removeAll(keepingCapacity: true)
  }

  func count(content digest: [UInt8], isPlain: Bool) throws {
    countPart()
    if isPlain {
      manifest.debugFiles.count += 1
      debugFileHash.update(digest.span.bytes)
    } else {
      manifest.contents.count += 1
      contentHash.update(digest.span.bytes)
    }
  }

  func begin(schema: Int) throws {
    countPart()
    manifest.schema = schema
    manifest.contents.digest = SHA256.hex(take(&contentHash))
    manifest.debugFiles.digest = SHA256.hex(take(&debugFileHash))
    table = nil
    try add(ArchiveManifest.name, manifest.bytes)
    for file in files { try writer?.add(file.kind.member, file.bytes, modified: 0) }
    try intake?.forEach { try writer?.add($0, $1, modified: 0) }
  }

  private func take(_ hash: inout SHA256) -> [UInt8] {
    var taken = SHA256()
    swap(&taken, &hash)
    return taken.finish()
  }

  func keep(row: [UInt8], of name: String) throws {
    if name != table {
      try keepPart()
      table = name
      parts = 0
    }
    rows += row
    if rows.count >= ArchiveNames.partBytes { try keepPart() }
  }

  private func keepPart() throws {
    guard !rows.isEmpty, let table else { return }
    parts += 1
    try add(ArchiveNames.part(parts, of: table), rows)
    rows.removeAll(keepingCapacity: true)
  }

  func keep(content bytes: ByteView, digest: [UInt8], isPlain: Bool) throws {
    try keepPart()
    try writer?.add(ArchiveNames.content(digest, isPlain: isPlain), bytes, modified: 0)
    done += 1
    progress(done, manifest.contents.count + manifest.debugFiles.count)
  }

  private func add(_ name: String, _ bytes: [UInt8]) throws {
    try writer?.add(name, ByteView(bytes), modified: 0)
  }

  func finish() throws -> HomeArchiveCounts {
    try keepPart()
    try writer.take()?.finish()
    return manifest.counts(quarantined: intake?.quarantined ?? 0)
  }
}

extension ArchiveManifest {
  /// - Parameter quarantined: The number of unstored submissions that are quarantined.
  func counts(quarantined: Int) -> HomeArchiveCounts {
    func rows(_ name: String) -> Int { tables.first { $0.name == name }?.rows ?? 0 }
    return HomeArchiveCounts(
      reports: rows("reports"), contents: contents.count, debugFiles: debugFiles.count,
      queued: intake.count, quarantined: quarantined)
  }
}
