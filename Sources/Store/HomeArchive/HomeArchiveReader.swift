internal import Archives
internal import Bytes
public import CrashStore
internal import Crypto

/// Reads an archive of a home into a new home. The archive is untrusted: the unpacking happens in a
/// sandboxed process, and every name, count, digest and value is checked.
public struct HomeArchiveReader {
  private let path: String

  /// - Parameter path: The archive.
  public init(_ path: String) { self.path = path }

  /// Limits on unpacking an archive.
  private static var limits: ArchiveLimits {
    var limits = ArchiveLimits()
    limits.members = 1 << 30
    // Large members are unpacked to a file and mapped.
    limits.memberBytes = CrashStore.contentLimit
    limits.totalBytes = 1 << 50
    // An uncompressed core may be all zeros except for a page.
    limits.ratio = 1 << 20
    limits.seconds = 86_400
    limits.secondsFloor = 86_400
    limits.opensInside = false
    return limits
  }

  /// Restores the whole archive into a new home.
  ///
  /// - Parameters:
  ///   - home: A folder that is empty or missing; its content is undefined if this fails.
  ///   - isPartWelcome: Whether an export is acceptable.
  ///   - progress: Called with the number of finished contents and the total.
  /// - Throws: ``HomeArchiveError``, ``LoadError``, `ArchiveError`; `FileError`, `DatabaseError`.
  public func read(
    intoNew home: String, isPartWelcome: Bool,
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> (store: CrashStore, counts: HomeArchiveCounts, files: [ArchivedFile]) {
    let filling = ArchiveRestore(
      home: home, isPartWelcome: isPartWelcome, progress: progress)
    var failure: (any Error)?
    var refusal: ArchiveError?
    do {
      try ArchiveReader(limits: Self.limits).forEachMember(
        of: path, refused: { refusal = refusal ?? $0.error }
      ) { member in
        do {
          if let refusal { throw refusal }
          try filling.take(member.path, member.bytes)
          return .next
        } catch {
          failure = error
          return .stop
        }
      }
    } catch {
      // An earlier error is more specific than the archive ending early.
      throw failure ?? error
    }
    if let error = failure ?? refusal { throw error }
    return try filling.finish()
  }
}

/// The home that is being filled, and the expected next members.
private final class ArchiveRestore {
  private let home: String
  private let isPartWelcome: Bool
  private let progress: (Int, Int) -> Void
  private var manifest: ArchiveManifest?
  private var loader: StoreLoader?
  /// Files of the home that are still expected, the next one last, and those received.
  private var awaited: [ArchiveManifest.MemberFile] = []
  private var files: [ArchivedFile] = []
  private let intake: IntakeRestore
  /// Parts of tables that are still expected, the next one last.
  private var parts: [(table: String, part: ArchiveManifest.MemberFile)] = []
  private var contents = ContentCount()
  private var debugFiles = ContentCount()

  /// Received contents of one kind.
  fileprivate struct ContentCount {
    var count = 0
    var last: [UInt8] = []
    let digests = DigestChain()
  }

  init(home: String, isPartWelcome: Bool, progress: @escaping (Int, Int) -> Void) {
    self.home = home
    self.isPartWelcome = isPartWelcome
    self.progress = progress
    intake = IntakeRestore(home)
  }

  func take(_ name: String, _ bytes: ByteView) throws {
    guard let manifest, let loader else { return try begin(name, bytes) }
    if let next = awaited.popLast() {
      guard let kind = ArchivedFile.Kind.allCases.first(where: { $0.member == next.name }),
        bytes.count <= ArchivedFile.limit
      else { throw HomeArchiveError.damaged("\(next.name) belongs in no archive") }
      guard next.name == name else {
        throw HomeArchiveError.damaged("\(name) instead of \(next.name)")
      }
      guard next.bytes == bytes.count, next.digest == SHA256.hex(of: bytes) else {
        throw HomeArchiveError.damaged("\(name) does not match the manifest")
      }
      // The bytes of a member are valid until the next one.
      files.append(ArchivedFile(kind, ByteView(bytes.array)))
      return
    }
    if intake.count < manifest.intake.count || intake.awaitsBody {
      return try intake.take(name, bytes)
    }
    if let next = parts.last {
      guard next.part.name == name else {
        throw HomeArchiveError.damaged("\(name) instead of \(next.part.name)")
      }
      guard next.part.bytes == bytes.count, next.part.digest == SHA256.hex(of: bytes) else {
        throw HomeArchiveError.damaged("\(name) does not match the manifest")
      }
      try loader.load(rows: bytes, into: next.table)
      parts.removeLast()
      return
    }
    guard let (digest, isPlain) = ArchiveNames.digest(of: name) else {
      throw HomeArchiveError.damaged("\(name) belongs in no archive")
    }
    if isPlain {
      guard debugFiles.last.lexicographicallyPrecedes(digest) else {
        throw HomeArchiveError.damaged("\(name) is repeated or out of order")
      }
      debugFiles.add(digest)
    } else {
      guard debugFiles.count == 0 else {
        throw HomeArchiveError.damaged("\(name) after the debug files")
      }
      contents.add(digest)
    }
    try loader.load(content: bytes, digest: digest, isPlain: isPlain)
    progress(
      contents.count + debugFiles.count, manifest.contents.count + manifest.debugFiles.count)
  }

  private func begin(_ name: String, _ bytes: ByteView) throws {
    guard name == ArchiveManifest.name, bytes.count <= ArchiveManifest.limit else {
      throw HomeArchiveError.damaged("\(name) instead of \(ArchiveManifest.name)")
    }
    let manifest = try ArchiveManifest(reading: bytes)
    guard manifest.isWhole || isPartWelcome else { throw HomeArchiveError.notWhole }
    loader = try StoreLoader(making: home, schema: manifest.schema)
    awaited = manifest.files.reversed()
    parts = manifest.tables.flatMap { table in table.parts.map { (table.name, $0) } }.reversed()
    self.manifest = manifest
  }

  func finish() throws -> (store: CrashStore, counts: HomeArchiveCounts, files: [ArchivedFile]) {
    guard let manifest, let loader else {
      throw HomeArchiveError.damaged("\(ArchiveManifest.name) is missing")
    }
    if let next = awaited.last { throw HomeArchiveError.damaged("\(next.name) is missing") }
    if let next = parts.last { throw HomeArchiveError.damaged("\(next.part.name) is missing") }
    try intake.finish(manifest.intake)
    for (came, promised, what) in [
      (contents, manifest.contents, "contents"), (debugFiles, manifest.debugFiles, "debug files"),
    ] {
      guard came.count == promised.count else {
        throw HomeArchiveError.damaged("\(came.count) \(what) instead of \(promised.count)")
      }
      guard came.digests.take() == promised.digest else {
        throw HomeArchiveError.damaged("the \(what) do not match the manifest")
      }
    }
    for table in manifest.tables where loader.rowCount(of: table.name) != table.rows {
      throw HomeArchiveError.damaged(
        "\(loader.rowCount(of: table.name)) rows of table \(table.name) instead of \(table.rows)")
    }
    self.loader = nil
    return (try loader.finish(), manifest.counts(quarantined: intake.quarantined), files)
  }
}

extension ArchiveRestore.ContentCount {
  fileprivate mutating func add(_ digest: [UInt8]) {
    last = digest
    count += 1
    digests.add(digest)
  }
}
