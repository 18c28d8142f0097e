internal import Bytes
public import CrashInput
internal import Files
internal import Glibc
public import Identifiers
public import Watching

extension Ingest {
  /// Stores files of watched folders.
  ///
  /// - Parameters:
  ///   - watcher: The source of the units.
  ///   - walker: The reader of the files, with its limits.
  ///   - received: The time recorded for all of them.
  /// - Returns: The result, with the outcome of each file, which is on disk by then.
  /// - Throws: The store's error, such as on a full disk; what was stored before stays stored.
  public func run(
    _ units: [WaitingUnit], from watcher: FolderWatcher, walker: InputWalker = InputWalker(),
    received: Timestamp
  ) throws -> (result: IngestResult, outcomes: [UnitOutcome]) {
    var files = units.flatMap { unit in
      [FileOfUnit(unit.file)]
        + unit.companions.map { FileOfUnit($0, besides: unit.file) }
    }
    let result = try run(
      received: received, onResult: { files[$0.ordinal].outcomes.add($0.outcome) }
    ) { bring in
      for index in files.indices {
        let (file, companion) = (files[index].file, files[index].companion)
        do throws(FileError) {
          let opened = try watcher.open(file)
          let step = walker.read(
            opened.number, named: file.path, ordinal: index, companion: companion, body: bring)
          if step == .stop { return }
        } catch {
          // Deleted, or a link by now: then it is another file, if any.
          if [ENOENT, ELOOP, ENOTDIR].contains(error.code) { continue }
          let failure = InputFile(
            path: file.path, content: .failure(.file(error)), ordinal: index,
            companion: companion)
          if bring(failure) == .stop { return }
        }
      }
    }
    var rest = files[...]
    let outcomes = units.map { unit in
      let ofUnit = rest.prefix(1 + unit.companions.count).map(\.outcomes.sum)
      rest = rest.dropFirst(ofUnit.count)
      return UnitOutcome(unit: unit, file: ofUnit[0], companions: Array(ofUnit.dropFirst()))
    }
    return (result, outcomes)
  }

  /// A file of a unit, and the outcomes of what is in it.
  private struct FileOfUnit {
    let file: WatchedFile
    let companion: Companion?
    var outcomes = MemberOutcomes()

    init(_ file: WatchedFile, besides owner: WatchedFile? = nil) {
      self.file = file
      companion = owner.flatMap { owner in
        file.attachment.map {
          Companion(of: owner.path, called: $0.name, isAttachment: $0.isInFolder)
        }
      }
    }
  }

  /// The outcomes of the members of a file on disk, or of the file itself.
  private struct MemberOutcomes {
    /// The maximum number of reasons shown per archive.
    private static let mostReasons = 100

    private var count = 0
    private var isStored = false
    private var isAttached = false
    private var hasUnreadable = false
    private var reasons: [String] = []

    mutating func add(_ outcome: FileOutcome) {
      count += 1
      switch outcome {
      case .stored: isStored = true
      case .attached: isAttached = true
      case .refused(let reason, let isForeign):
        hasUnreadable = hasUnreadable || !isForeign
        if reasons.count < Self.mostReasons { reasons.append(reason) }
      }
    }

    /// The outcome of the file. Unreadable members of an archive are reported; members of other kinds are not,
    /// if there were reports.
    var sum: WatchedOutcome {
      if count == 0 { return .gone }
      if count == 1, isAttached { return .attached }
      let isUsed = isStored || isAttached
      return isUsed && !hasUnreadable ? .stored : .refused(reasons.joined(separator: "\n"))
    }
  }
}
