internal import Bytes
internal import ChildProcess
internal import Files
internal import Glibc

/// One walk through an archive and the archives inside it.
struct ArchiveWalk {
  var budget: ArchiveBudget
  let program: String

  /// Reads one archive and those nested in it.
  ///
  /// - Parameters:
  ///   - name: The name shown for the archive.
  ///   - path: The names of the archives around it, from the second level on.
  ///   - depth: 1 for the archive that is a file.
  /// - Throws: ``ArchiveError`` when this archive, or the rest of it, cannot be read, or when the budget is
  ///   used up.
  mutating func read(
    _ file: borrowing OpenFile, named name: String, path: String, depth: Int,
    body: (ArchiveEvent) -> ArchiveStep
  ) throws(ArchiveError) -> ArchiveStep {
    let size: Int
    let isZip: Bool
    do {
      size = Int(try file.status(name: name).st_size)
      let head = try file.head(FileMagic.headSize, name: name)
      isZip = [.zip, .emptyZip].contains(FileMagic(of: head))
    } catch {
      throw ArchiveError(.file(error), in: name)
    }
    var current = CurrentMember(archive: name, archivePath: path)
    for _ in 0..<max(budget.limits.damagedMembers, 1) {
      switch try pass(file, size: size, current: &current, depth: depth, body: body) {
      case .ended(let step): return step
      case .damaged(let error):
        // The library gives up at a member that it cannot unpack. The members of a zip archive are
        // independent, so the ones after it can be read by starting again.
        guard isZip, current.isOpen else { throw error }
        let member = RefusedMember(displayPath: try current.finish().displayPath, error: error)
        if body(.refused(member)) == .stop { return .stop }
      }
    }
    throw ArchiveError(.limit("damaged members", budget.limits.damagedMembers), in: name)
  }

  private enum PassResult {
    case ended(ArchiveStep)
    /// Input ended; the member that was being read is still open.
    case damaged(ArchiveError)
  }

  /// Starts the unpacker once, to skip the members that were seen before and read the rest.
  private mutating func pass(
    _ file: borrowing OpenFile, size: Int, current: inout CurrentMember, depth: Int,
    body: (ArchiveEvent) -> ArchiveStep
  ) throws(ArchiveError) -> PassResult {
    let name = current.archive
    try budget.takeArchive(name)
    var process = try UnpackProcess(
      reading: file, archive: name, program: program, limits: budget.limits,
      passingOver: current.seen, patience: budget.patience, seconds: budget.seconds)
    defer { budget.patience = process.patience }
    var isGreeted = false
    while true {
      let frame: UnpackProcess.Frame
      do throws(ArchiveError) {
        frame = try process.next()
      } catch {
        // The time is shared by all archives, so none is left for the others either.
        if process.patience <= 0 { budget.spendTime() }
        throw error
      }
      switch frame.kind {
      case .hello:
        guard let bits = process.bytes(of: frame).first else {
          throw process.wrongAnswer("an empty greeting")
        }
        isGreeted = true
        try ArchiveReader.check(SandboxStatus(bits: Int32(bits)), for: name)
        continue
      case _ where !isGreeted: throw process.wrongAnswer("no greeting")
      case .member:
        guard current.begin(process.bytes(of: frame)) else {
          throw process.wrongAnswer("a member inside another")
        }
        try budget.takeMember(of: name)
      case .data:
        try take(frame, of: process, into: &current, packed: size)
        if current.isProgress(frame.payload.count) {
          budget.patience = process.patience
          if body(.progress) == .stop { return .ended(.stop) }
        }
      case .end:
        guard current.isOpen else { throw process.wrongAnswer("an end without a member") }
        budget.patience = process.patience
        let step: ArchiveStep
        if current.kind == .tooLarge {
          let error = ArchiveError(.limit("bytes of a member", budget.limits.memberBytes), in: name)
          let path = try current.finish().displayPath
          step = body(.refused(RefusedMember(displayPath: path, error: error)))
        } else {
          step = try handOver(try current.finish(), depth: depth, body: body)
        }
        process.patience = budget.patience
        if step == .stop { return .ended(.stop) }
      case .refused:
        guard current.isOpen else { throw process.wrongAnswer("a refusal without a member") }
        let error = refusal(process.bytes(of: frame), of: name)
        let member = RefusedMember(displayPath: try current.finish().displayPath, error: error)
        if body(.refused(member)) == .stop { return .ended(.stop) }
      case .damaged:
        let words = DisplayText.escaped(process.bytes(of: frame))
        let location = current.isOpen && !current.isWhole ? ", in \(current.name)" : ""
        return .damaged(ArchiveError(.damaged(words + location), in: name))
      case .done:
        guard !current.isOpen else { throw process.wrongAnswer("the end inside a member") }
        return .ended(.next)
      }
    }
  }

  private mutating func take(
    _ frame: UnpackProcess.Frame, of process: borrowing UnpackProcess,
    into current: inout CurrentMember, packed: Int
  ) throws(ArchiveError) {
    let archive = current.archive
    guard current.isOpen, current.count + frame.payload.count <= budget.limits.largestMember
    else { throw process.wrongAnswer("bytes that were not asked for") }
    do throws(FileError) {
      if current.kind == .undecided, current.count >= FileMagic.headSize {
        current.kind =
          FileMagic(of: try current.bytes.head(FileMagic.headSize))?.isDump == true
          ? .dump : .other
      }
      let limit =
        current.kind == .dump ? budget.limits.largestMember : budget.limits.memberBytes
      if current.count + frame.payload.count > limit { current.kind = .tooLarge }
      if current.kind != .tooLarge { try process.append(frame, to: &current.bytes) }
    } catch {
      throw ArchiveError(.file(error), in: archive)
    }
    // The zeros of a dump compress to nearly nothing; its own limit bounds it.
    if current.kind != .dump { current.unpacked += frame.payload.count }
    try budget.takeBytes(
      frame.payload.count, isDump: current.kind == .dump, unpacked: current.unpacked,
      packed: packed, of: archive)
  }

  private func refusal(_ payload: ArraySlice<UInt8>, of archive: String) -> ArchiveError {
    switch payload.first.flatMap(UnpackRefusal.init) {
    case .tooLarge:
      ArchiveError(.limit("bytes of a member", budget.limits.memberBytes), in: archive)
    case .encrypted: ArchiveError(.encrypted, in: archive)
    case .damaged, nil:
      ArchiveError(.damaged(DisplayText.escaped(payload.dropFirst())), in: archive)
    }
  }

  /// Opens the member if it is an archive; otherwise passes it to the caller.
  ///
  /// - Throws: ``ArchiveError`` when a limit of the whole file was reached; other errors cost only the
  ///   member.
  private mutating func handOver(
    _ member: ArchiveMember, depth: Int, body: (ArchiveEvent) -> ArchiveStep
  ) throws(ArchiveError) -> ArchiveStep {
    guard budget.limits.opensInside else { return body(.member(member)) }
    guard ArchiveReader.isArchive(member.bytes) else {
      return member.isResourceFork ? .next : body(.member(member))
    }
    do throws(ArchiveError) {
      guard depth < budget.limits.depth else {
        throw ArchiveError(
          .limit("archives inside each other", budget.limits.depth), in: member.displayPath)
      }
      let file: OpenFile
      do {
        file = try OpenFile.holding(member.bytes, name: member.displayPath)
      } catch {
        throw ArchiveError(.file(error), in: member.displayPath)
      }
      return try read(
        file, named: member.displayPath, path: member.path, depth: depth + 1, body: body)
    } catch {
      if budget.isSpent { throw error }
      return body(.refused(RefusedMember(displayPath: member.displayPath, error: error)))
    }
  }
}

/// The member that is being received.
private struct CurrentMember: ~Copyable {
  let archive: String
  let archivePath: String
  private(set) var isOpen = false
  /// How many members have begun.
  private(set) var seen = 0
  /// Whether the archive is a single compressed file.
  private(set) var isWhole = false
  private(set) var name = ""
  var bytes = GrowingBuffer()
  /// The kind that its first bytes indicate.
  var kind = ContentKind.undecided

  enum ContentKind {
    case undecided, dump, other
    /// More bytes arrived than a file of its kind may have; they are not kept.
    case tooLarge
  }

  /// Bytes of all members so far.
  var unpacked = 0
  var count: Int { bytes.count }

  /// Bytes after which the caller is given a chance to yield.
  private static let progress = 4 << 20
  private var sinceProgress = 0

  /// Counts bytes that arrived; returns whether progress is due to be reported.
  mutating func isProgress(_ count: Int) -> Bool {
    sinceProgress += count
    guard sinceProgress >= Self.progress else { return false }
    sinceProgress = 0
    return true
  }

  init(archive: String, archivePath: String) {
    self.archive = archive
    self.archivePath = archivePath
  }

  /// Returns `false` inside a member.
  mutating func begin(_ payload: ArraySlice<UInt8>) -> Bool {
    guard !isOpen else { return false }
    isOpen = true
    kind = .undecided
    seen += 1
    isWhole = payload.first == 1
    name = isWhole ? strippedName : DisplayText.escaped(payload.dropFirst())
    return true
  }

  mutating func finish() throws(ArchiveError) -> ArchiveMember {
    isOpen = false
    let bytes: ByteView
    do {
      bytes = try self.bytes.take()
    } catch {
      throw ArchiveError(.file(error), in: archive)
    }
    let inside = archivePath.isEmpty ? name : "\(archivePath)!\(name)"
    return ArchiveMember(
      path: isWhole && !archivePath.isEmpty ? archivePath : inside,
      displayPath: isWhole ? archive : "\(archive)!\(name)", bytes: bytes)
  }

  /// The archive's own name without folders and without the compression suffix.
  private var strippedName: String {
    let base = archive.split { $0 == "/" || $0 == "!" }.last ?? ""
    for suffix in [".gz", ".bz2", ".xz", ".zst", ".lz4"] where base.hasSuffix(suffix) {
      return String(base.dropLast(suffix.count))
    }
    return String(base)
  }
}

extension ArchiveMember {
  /// Whether this is the companion file in which macOS keeps attributes that archives cannot hold.
  ///
  /// Source: RFC 1740, appendix A: magic number of an AppleDouble header.
  fileprivate var isResourceFork: Bool {
    let base = path.split { $0 == "/" || $0 == "!" }.last ?? ""
    return base.hasPrefix("._") && bytes.starts(with: [0, 5, 0x16, 7])
  }
}
